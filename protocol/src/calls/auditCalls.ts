import * as v from 'valibot';
import { Time } from '../model/ids.ts';
import { Line } from '../model/line.ts';
import { Slug } from '../model/profile.ts';
import { call } from './call.ts';

export const AUDIT_PAGE = 50;
/** Larger than a page of the list, because a file can have thousands of entries. */
export const AUDIT_EXPORT_PAGE = 500;

const actorKinds = ['staff', 'key', 'commandLine', 'system', 'unknown'] as const;
const targetKinds = ['conversation', 'person', 'invite', 'key', 'other'] as const;

export const AuditEntry = v.object({
  /** Position in the chain, from 1, without gaps. */
  id: v.number(),
  at: Time,
  actor: v.object({ kind: v.picklist(actorKinds), id: v.string(), name: v.string() }),
  action: v.string(),
  target: v.object({ kind: v.picklist(targetKinds), id: v.string(), name: v.string() }),
  /** Short facts. Never a secret or the text of a message. */
  details: v.record(v.string(), v.nullable(v.union([v.string(), v.number(), v.boolean()]))),
});
export type AuditEntry = v.InferOutput<typeof AuditEntry>;

const Number1 = v.pipe(v.string(), v.regex(/^[1-9][0-9]{0,14}$/), v.toNumber());

/** The log of staff actions. No call writes to it directly; every action adds its entry. */
export const auditCalls = {
  readAudit: call({
    route: 'GET /manage/audit',
    summary: 'Read the audit log, newest first, a page at a time.',
    auth: 'admin',
    query: {
      actor: v.optional(v.pipe(Line, v.maxLength(64))),
      action: v.optional(v.pipe(Line, v.maxLength(64))),
      /** Part of a target, of the details, or of the name of the actor or the person affected. */
      q: v.optional(v.pipe(Line, v.maxLength(100))),
      /**
       * Only entries about this profile. Those about none, such as sign-ins, and all before there was a second profile
       * belong to the first one.
       */
      profile: v.optional(Slug),
      /** Only entries with a lower number. */
      before: v.optional(Number1),
      limit: v.optional(v.pipe(Number1, v.maxValue(AUDIT_EXPORT_PAGE))),
    },
    answer: {
      entries: v.array(AuditEntry),
      /**
       * Pass it as `before` for the next page; null on the last page. With `q`, a call searches part of the log, so a page
       * can be empty and not the last.
       */
      next: v.nullable(v.number()),
      /** For `settee audit verify --count --head`. A copy stored elsewhere proves that no entry was cut off. */
      head: v.object({ count: v.number(), hash: v.string() }),
    },
  }),
  /** The actors and actions that occur in the log, for the filters. */
  readAuditChoices: call({
    route: 'GET /manage/audit/choices',
    summary: 'Read the actors and actions in the audit log, for its filters.',
    auth: 'admin',
    answer: { actors: v.array(AuditEntry.entries.actor), actions: v.array(v.string()) },
  }),
} as const;
