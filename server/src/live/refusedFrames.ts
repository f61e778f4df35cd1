import type { Up } from '@settee/protocol/frames/up';
import type { ErrorCode } from '@settee/protocol/model/errorCodes';
import type { App } from '../platform/app.ts';
import { MISTAKES } from '../platform/log/securityLog.ts';
import type { Connection } from './connection.ts';

/** Reports a refused frame that matters for security. An invalid one has no type. */
export function recordRefusedFrame(
  app: App,
  { address, caller }: Connection,
  code: ErrorCode,
  frame?: Up['type'],
): void {
  const event = MISTAKES[code];
  if (event === undefined) return;
  const staffId = caller.kind === 'staff' ? caller.staffId : undefined;
  app.security.record({ event, frame, code, address, staffId });
}
