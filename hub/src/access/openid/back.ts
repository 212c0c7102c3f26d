/**
 * Where to go after a login: a path of the console's own site, whatever was asked for; "/" for anything else, so that
 * nobody can use the login to lead people to another site.
 */
export function pathBack(wanted: string | null, publicUrl: URL): string {
  if (wanted === null || !/^\/(?![/\\])[^\p{Cc}]*$/u.test(wanted) || wanted.length > 2_000) {
    return "/";
  }
  const url = URL.parse(wanted, publicUrl.href);
  const isOwn = url !== null && url.origin === publicUrl.origin && !url.pathname.startsWith("//");
  return isOwn && !/^\/(api|auth)(\/|$)/.test(url.pathname) ? `${url.pathname}${url.search}` : "/";
}
