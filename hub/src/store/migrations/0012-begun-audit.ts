import type { Step } from "./steps.ts";

/**
 * Entries that say that something begins: how it ended, and what is known by then, can be said once. When, where from, and
 * what it was, and by whom if that was known, stays as it is. Only who logs in may be somebody else in the end.
 */
export const begunAudit: Step = {
  up: [
    `create or replace function refuse_audit_change() returns trigger language plpgsql as $$
      begin
        if tg_op = 'DELETE' then
          if current_setting('weir.deletes_old_audit', true) = 'on' then
            return old;
          end if;
        elsif tg_op = 'UPDATE' then
          if old.outcome = 'begun' and new.outcome in ('done', 'refused', 'failed')
            and (new.id, new.at, new.action, new.address) = (old.id, old.at, old.action, old.address)
            and (old.actor_id in ('', new.actor_id) or old.action in ('logIn', 'acceptInvitation'))
          then
            return new;
          end if;
        end if;
        raise exception 'the audit log can only be added to';
      end
    $$`,
  ],
  down: [
    `update audit set outcome = 'failed', detail = detail || '{"problem": "It isn''t known how it ended."}'
      where outcome = 'begun'`,
    `create or replace function refuse_audit_change() returns trigger language plpgsql as $$
      begin
        if tg_op = 'DELETE' and current_setting('weir.deletes_old_audit', true) = 'on' then
          return old;
        end if;
        raise exception 'the audit log can only be added to';
      end
    $$`,
  ],
};
