import * as v from 'valibot';
import { Line } from '../frames/line.ts';
import { Time } from '../model/ids.ts';
import { call, none, success } from './call.ts';

export const AUDIT_PAGE = 50;
/** A file of thousands of entries is fetched in larger pages. */
export const AUDIT_EXPORT_PAGE = 500;

/** Who did it, or to whom or what it was done; `name` is for people to read. */
const actorKinds = ['staff', 'commandLine', 'system', 'unknown'] as const;
const targetKinds = ['conversation', 'person', 'invite', 'other'] as const;

export const AuditEntry = v.object({
  /** Its place in the chain, from 1, without gaps. */
  id: v.number(),
  at: Time,
  actor: v.object({ kind: v.picklist(actorKinds), id: v.string(), name: v.string() }),
  action: v.string(),
  target: v.object({ kind: v.picklist(targetKinds), id: v.string(), name: v.string() }),
  /** Small facts about it. Never a secret, never a message. */
  details: v.record(v.string(), v.nullable(v.union([v.string(), v.number(), v.boolean()]))),
});
export type AuditEntry = v.InferOutput<typeof AuditEntry>;

const Number1 = v.pipe(v.string(), v.regex(/^[1-9][0-9]{0,14}$/), v.toNumber());

/** The log of what staff did. There is no call that writes to it: every action does. */
export const auditCalls = {
  readAudit: call({
    method: 'GET',
    path: '/manage/audit',
    auth: 'admin',
    body: none,
    query: v.strictObject({
      actor: v.optional(v.pipe(Line, v.maxLength(64))),
      action: v.optional(v.pipe(Line, v.maxLength(64))),
      /** Part of a target, of what the details say, or of the name of somebody who did it or to whom it was done. */
      q: v.optional(v.pipe(Line, v.maxLength(100))),
      /** Entries with a lower number than this. */
      before: v.optional(Number1),
      limit: v.optional(v.pipe(Number1, v.maxValue(AUDIT_EXPORT_PAGE))),
    }),
    answer: v.object({
      success,
      entries: v.array(AuditEntry),
      /** To be given back as `before`; null on the last page. */
      next: v.nullable(v.number()),
      /** What `settee audit verify --count --head` takes: kept elsewhere, it shows that nothing was cut off. */
      head: v.object({ count: v.number(), hash: v.string() }),
    }),
  }),
  /** By whom and what there is in the log, to choose from. */
  readAuditChoices: call({
    method: 'GET',
    path: '/manage/audit/choices',
    auth: 'admin',
    body: none,
    query: none,
    answer: v.object({ success, actors: v.array(AuditEntry.entries.actor), actions: v.array(v.string()) }),
  }),
} as const;
