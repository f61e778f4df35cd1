import type { Week } from '@settee/protocol/model/hours';
import type { ColumnType, Generated } from 'kysely';

/** The columns as the migrations make them. Times are read as Date, written as Date. */
export type Tables = {
  brand: {
    only_row: Generated<boolean>;
    display_name: string;
    avatar_url: string | null;
    disclosure: string | null;
    verified: boolean;
    reopen_days: number;
    waiting_minutes: Generated<number>;
    waiting_long_minutes: Generated<number>;
    keep_days: number | null;
    greeting: string | null;
    farewell: string | null;
    away_message: string | null;
    usual_reply_minutes: number | null;
    hours_rev: Generated<number>;
    visitor_erase: Generated<boolean>;
    updated_at: Date;
  };
  avatars: { id: string; type: string; bytes: Buffer; created_at: Generated<Date> };
  handlers: {
    alias: string;
    created_at: Generated<Date>;
    last_seen_at: Generated<Date | null>;
    number: Generated<number>;
  };
  desk_hours: {
    alias: string;
    time_zone: string;
    week: ColumnType<Week, string, string>;
    updated_at: Generated<Date>;
  };
  installation: {
    only_row: Generated<boolean>;
    id: Generated<string>;
    set_up_at: Date | null;
    secret_check: Buffer | null;
    older_keys: Buffer | null;
  };
  staff: {
    id: Generated<string>;
    email: string;
    name: string;
    /** Null until they choose one. */
    password_hash: string | null;
    role: string;
    alias: string | null;
    active: Generated<boolean>;
    away: Generated<boolean>;
    created_at: Generated<Date>;
    last_seen_at: Date | null;
    /** Since when a missing second factor is tolerated, for seven days; null before the first sign-in. */
    grace_from: Date | null;
  };
  staff_sessions: {
    id: Generated<string>;
    token_hash: Buffer;
    staff_id: string;
    created_at: Generated<Date>;
    expires_at: Date;
    revoked_at: Date | null;
    second_factor_at: Date | null;
    confirmed_at: Date | null;
  };
  staff_totp: {
    staff_id: string;
    secret: Buffer;
    /** A bigint, which pg reads as text. */
    last_step: ColumnType<string, number, number>;
    created_at: Generated<Date>;
  };
  staff_passkeys: {
    id: Generated<string>;
    staff_id: string;
    credential_id: string;
    public_key: Buffer;
    /** A bigint, which pg reads as text. */
    counter: ColumnType<string, number, number>;
    transports: string[];
    name: string;
    created_at: Generated<Date>;
    last_used_at: Date | null;
  };
  staff_recovery_codes: { staff_id: string; hash: Buffer };
  spent_tickets: { id: string; expires_at: Date };
  invites: {
    id: Generated<string>;
    token_hash: Buffer;
    label: string;
    handler_alias: string;
    state: Generated<'NEW' | 'SEEN' | 'BOUND' | 'REVOKED'>;
    created_at: Generated<Date>;
    expires_at: Date;
    seen_at: Date | null;
    bound_at: Date | null;
    revoked_at: Date | null;
    code_hash: Buffer | null;
    code_failures: Generated<number>;
    code_failures_in_life: Generated<number>;
    code_locked_until: Date | null;
    code_number: Generated<number>;
    keep_days: number | null;
    batch_id: string | null;
    attempt: number | null;
    created_by: string | null;
  };
  conversations: {
    id: Generated<string>;
    invite_id: string;
    handler_alias: string;
    visitor_id: string;
    visitor_name: Generated<string>;
    status: Generated<'open' | 'closed' | 'blocked'>;
    created_at: Generated<Date>;
    closed_at: Date | null;
    last_message_at: Generated<Date>;
    last_seq: Generated<number>;
    unread: Generated<number>;
    preview: Generated<string>;
    preview_from_owner: boolean | null;
    rev: Generated<number>;
    visitor_seen: Generated<number>;
    owner_seen: Generated<number>;
    visitor_seen_at: Date | null;
    owner_seen_at: Date | null;
    waiting_since: Date | null;
    marked_unread: Generated<boolean>;
    snoozed_until: Date | null;
    snoozed_seq: number | null;
    first_asked_at: Date | null;
    first_replied_at: Date | null;
  };
  blocks: { conversation_id: string; reason: string; until: Date | null };
  conversation_views: {
    conversation_id: string;
    staff_id: string;
    what: 'view' | 'export';
    at: Generated<Date>;
    next: number | null;
  };
  messages: {
    conversation_id: string;
    seq: number;
    id: string;
    from_owner: boolean;
    author_id: string;
    created_at: Date;
    text: string;
    media_id: string | null;
  };
  notes: {
    id: string;
    conversation_id: string;
    after_seq: number;
    author_id: string;
    text: string;
    created_at: Generated<Date>;
    from_alias: string | null;
    to_alias: string | null;
  };
  saved_replies: {
    id: string;
    staff_id: string;
    shortcut: string;
    text: string;
    shared: Generated<boolean>;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
  };
  devices: {
    conversation_id: string;
    visitor_id: string;
    credential: Buffer;
    first: Generated<boolean>;
    attached_at: Generated<Date>;
    revoked_at: Date | null;
    browser: Generated<string>;
  };
  visitor_profiles: {
    visitor_id: string;
    display_name: string;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
  };
  push_subscriptions: {
    id: Generated<string>;
    visitor_id: string | null;
    alias: string | null;
    staff_id: string | null;
    session_id: string | null;
    endpoint: string;
    p256dh: string;
    auth: string;
    created_at: Generated<Date>;
    refreshed_at: Generated<Date>;
    refused_at: Date | null;
  };
  media: {
    id: string;
    conversation_id: string;
    from_owner: boolean;
    author_id: string;
    state: Generated<'uploading' | 'working' | 'ready' | 'refused'>;
    staged_path: string;
    staged_type: string;
    staged_bytes: number;
    path: string;
    file_name: string;
    media_type: string | null;
    bytes: number | null;
    width: number | null;
    height: number | null;
    thumbhash: string | null;
    message_id: string | null;
    mishaps: Generated<number>;
    created_at: Generated<Date>;
  };
  erasures: { conversation_id: string; visitors: string[]; erased_at: Generated<Date> };
  deleted_conversations: {
    conversation_id: string;
    handler_alias: string;
    deleted_by: 'visitor' | 'staff' | 'retention';
    deleted_at: Generated<Date>;
  };
  push_due: {
    conversation_id: string;
    to_owner: boolean;
    seq: number;
    due_at: Date | null;
    pushed_at: Date | null;
  };
  presence: { alias: string; gateway_id: string; expires_at: Date };
  staff_presence: { staff_id: string; gateway_id: string; expires_at: Date };
  password_links: {
    staff_id: string;
    token_hash: Buffer;
    created_at: Generated<Date>;
    expires_at: Date;
  };
  gateways: { id: string; alone: boolean; expires_at: Date };
  audit: {
    id: Generated<string>;
    at: Generated<Date>;
    actor: string;
    action: string;
    target: string;
    details: Generated<Record<string, unknown>>;
    prev: Generated<Buffer>;
    hash: Generated<Buffer>;
  };
  audit_head: { only_row: Generated<boolean>; count: string; hash: Buffer };
};
