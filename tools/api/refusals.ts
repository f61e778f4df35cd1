import type { Call } from '../../protocol/src/calls/call.ts';
import type { ErrorCode } from '../../protocol/src/calls/errorCodes.ts';
import { errors } from '../../protocol/src/calls/errors.ts';
import { type CallName, calls } from '../../protocol/src/calls/http.ts';
import { callers } from './callers.ts';
import { notes } from './notes.ts';

/** Calls whose refusals have their own shape, as the product specification requires. */
export const OWN_REFUSALS: ReadonlySet<CallName> = new Set(['checkInvite', 'claimInvite', 'attachInvite']);

/** Every code that a call can be refused with, in the order of `errors`. */
export function refusalsOf(name: CallName): ErrorCode[] {
  const call: Call = calls[name];
  const possible = new Set<ErrorCode>([
    // Every call: invalid JSON, a body where none is allowed, or a limit (server/src/limits/table.ts).
    'bad_request',
    'too_many',
    'unavailable',
    ...callers[call.auth].refused,
    ...unknownId(call.path),
    ...(notes[name].refused ?? []),
  ]);
  return (Object.keys(errors) as ErrorCode[]).filter((code) => possible.has(code));
}

/** A call about one object refuses an unknown id. */
function unknownId(path: string): ErrorCode[] {
  if (!path.includes('/:id')) return [];
  return [path.startsWith('/manage/invites/') ? 'invite_not_found' : 'not_found'];
}

/** The same codes, by HTTP status. */
export function refusalsByStatus(name: CallName): Map<number, ErrorCode[]> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of refusalsOf(name)) {
    const { status } = errors[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return new Map([...byStatus].sort(([left], [right]) => left - right));
}
