import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render } from "preact";
import { Api } from "./api/api.ts";
import { ApiContext } from "./api/context.ts";
import { ApiProblem, isLoggedOut } from "./api/problem.ts";
import { sessionKey, sessionQuery } from "./api/use-session-answer.ts";
import { App } from "./app.tsx";
import { askFirst } from "./screens/first-answers.ts";
import { showTheme } from "./state/theme.ts";
import { Notices } from "./ui/notices.tsx";

/** How often to ask again if the console can't be reached or fails; what's refused stays refused. */
const mostRetries = 2;

/**
 * How long the page may stay blank, in milliseconds, while it asks who is logged in and for the first rows. Usually both
 * arrive sooner, and the screen is drawn once instead of three times.
 */
const longestBlank = 300;

/** How long an answer counts as fresh, in milliseconds: the stream says when it isn't. */
const staleTime = 30_000;

const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noteLogout }),
  mutationCache: new MutationCache({ onError: noteLogout }),
  defaultOptions: {
    queries: {
      staleTime,
      retry: (failures, error) =>
        failures < mostRetries && error instanceof ApiProblem && (error.status === 0 || error.status >= 502),
    },
  },
});

/** The session has ended if anything says so: asking for it again brings the login. */
function noteLogout(error: Error): void {
  if (isLoggedOut(error)) {
    void queries.invalidateQueries({ queryKey: sessionKey });
  }
}

void start();

async function start(): Promise<void> {
  const api = new Api();
  showTheme();
  // If this fails, the app asks again, and shows what went wrong.
  const session = queries.query(sessionQuery(api)).catch(() => undefined);
  const rows = session.then((who) => who && askFirst(location, { queries, api }));
  await Promise.race([rows, new Promise((resolve) => setTimeout(resolve, longestBlank))]);
  const place = document.querySelector("#page");
  if (place !== null) {
    render(
      <QueryClientProvider client={queries}>
        <ApiContext value={api}>
          <Notices>
            <App />
          </Notices>
        </ApiContext>
      </QueryClientProvider>,
      place,
    );
  }
}
