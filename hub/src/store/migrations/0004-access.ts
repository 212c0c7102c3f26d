import type { Step } from "./steps.ts";

/**
 * Who may use the console, and how they prove who they are. Whatever proves something is stored as a hash; what
 * else a session or a login needs in secret is derived from its cookie.
 */
export const access: Step = {
  up: [
    `create table users (
      id text collate "C" primary key,
      login text collate "C" not null,
      name text not null,
      email text not null,
      groups text[] not null,
      created_at timestamptz not null,
      disabled_at timestamptz,
      last_login_at timestamptz
    )`,
    `create unique index users_login on users (lower(login))`,
    `create table identities (
      issuer text collate "C" not null,
      subject text collate "C" not null,
      user_id text collate "C" not null references users on delete cascade,
      email text not null,
      created_at timestamptz not null,
      last_login_at timestamptz not null,
      primary key (issuer, subject)
    )`,
    `create index identities_user on identities (user_id)`,
    `create table passwords (
      user_id text collate "C" primary key references users on delete cascade,
      hash text not null,
      changed_at timestamptz not null
    )`,
    `create table sessions (
      id text collate "C" primary key,
      user_id text collate "C" not null references users on delete cascade,
      token_hash text collate "C" not null unique,
      method text not null,
      address text not null,
      user_agent text not null,
      created_at timestamptz not null,
      last_used_at timestamptz not null,
      expires_at timestamptz not null
    )`,
    `create index sessions_user on sessions (user_id)`,
    `create index sessions_expires_at on sessions (expires_at)`,
    `create table oidc_logins (
      state_hash text collate "C" primary key,
      browser_hash text collate "C" not null,
      return_to text not null,
      created_at timestamptz not null,
      expires_at timestamptz not null
    )`,
    `create table invitations (
      id text collate "C" primary key,
      token_hash text collate "C" not null unique,
      purpose text not null,
      user_id text collate "C" references users on delete cascade,
      login text collate "C" not null,
      roles jsonb not null,
      created_by text collate "C" references users on delete set null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      used_at timestamptz
    )`,
    `create table roles (
      id text collate "C" primary key,
      user_id text collate "C" references users on delete cascade,
      group_name text collate "C",
      instance_id text collate "C" references instances on delete cascade,
      namespace text collate "C",
      role text not null check (role in ('viewer', 'operator', 'administrator')),
      created_by text collate "C" references users on delete set null,
      created_at timestamptz not null,
      check ((user_id is null) <> (group_name is null)),
      check (namespace is null or instance_id is not null)
    )`,
    `create unique index roles_once on roles (
      coalesce(user_id, ''), coalesce(group_name, ''), coalesce(instance_id, ''), coalesce(namespace, ''), role
    )`,
    `create index roles_group on roles (group_name)`,
    `create table api_tokens (
      id text collate "C" primary key,
      user_id text collate "C" not null references users on delete cascade,
      name text not null,
      token_hash text collate "C" not null unique,
      scopes text[] not null,
      instance_id text collate "C" references instances on delete cascade,
      namespace text collate "C",
      created_at timestamptz not null,
      expires_at timestamptz,
      last_used_at timestamptz,
      revoked_at timestamptz
    )`,
    `create index api_tokens_user on api_tokens (user_id)`,
    `create table approval_rules (
      id text collate "C" primary key,
      instance_id text collate "C" references instances on delete cascade,
      namespace text collate "C",
      created_by text collate "C" references users on delete set null,
      created_at timestamptz not null
    )`,
    `create table rate_limits (
      key text collate "C" primary key,
      used double precision not null,
      updated_at timestamptz not null
    )`,
    `create table settings (
      key text collate "C" primary key,
      value jsonb not null,
      updated_by text collate "C" references users on delete set null,
      updated_at timestamptz not null
    )`,
  ],
  down: [
    "drop table settings",
    "drop table rate_limits",
    "drop table approval_rules",
    "drop table api_tokens",
    "drop table roles",
    "drop table invitations",
    "drop table oidc_logins",
    "drop table sessions",
    "drop table passwords",
    "drop table identities",
    "drop table users",
  ],
};
