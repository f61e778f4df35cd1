import { Doing } from '@settee/protocol/model/colleague';
import * as v from 'valibot';

/**
 * A notice between gateways that a conversation changed. A hint may be lost, late or duplicated. The receiver compares
 * numbers and reads the rest from PostgreSQL.
 */
export type Hint =
  /** `createdAt` is for metrics only; 0 from a gateway of an older release. */
  | { kind: 'message'; seq: number; unread: number; rev: number; createdAt: number; frame: Buffer }
  | { kind: 'changed' }
  /** For the desk's queue only. */
  | { kind: 'row' }
  /** `alias` is the desk that may read the note. The subject may be of another desk: see Hub.handedOver. */
  | { kind: 'note'; alias: string; frame: Buffer }
  | { kind: 'typing'; side: 'visitor' | 'owner' }
  | ({ kind: 'colleague' } & StaffActivity)
  /** The visitor's page was opened or left at this gateway. For desks. */
  | { kind: 'visitor'; gatewayId: string; present: boolean }
  /** All conversations of the desk whose visitor has a page open at this gateway. For desks. */
  | { kind: 'visitors'; gatewayId: string; conversationIds: readonly string[] };

/** What a staff member does in a conversation. */
export type StaffActivity = { staffId: string; name: string; doing: Doing };

const MESSAGE = 'M'.charCodeAt(0);
const CHANGED = 'C'.charCodeAt(0);
const ROW = 'R'.charCodeAt(0);
const TYPING = 'T'.charCodeAt(0);
const NOTE = 'N'.charCodeAt(0);
const COLLEAGUE = 'A'.charCodeAt(0);
const VISITOR = 'V'.charCodeAt(0);
const VISITORS = 'P'.charCodeAt(0);
const NEWLINE = '\n'.charCodeAt(0);

/** The frame is already encoded for sockets, so the receiving gateway need not parse it. */
export function encodeHint(hint: Hint): Buffer {
  switch (hint.kind) {
    case 'message':
      return Buffer.concat([
        Buffer.from(`M${hint.seq} ${hint.unread} ${hint.rev} ${hint.createdAt}\n`),
        hint.frame,
      ]);
    case 'changed':
      return Buffer.from('C');
    case 'note':
      return Buffer.concat([Buffer.from(`N${hint.alias}\n`), hint.frame]);
    case 'row':
      return Buffer.from('R');
    case 'typing':
      return Buffer.from(`T${hint.side}`);
    case 'colleague':
      return Buffer.from(`A${hint.doing} ${hint.staffId} ${hint.name}`);
    case 'visitor':
      return Buffer.from(`V${hint.present ? 1 : 0} ${hint.gatewayId}`);
    case 'visitors':
      return Buffer.from(`P${[hint.gatewayId, ...hint.conversationIds].join(' ')}`);
  }
}

/** Undefined for an unknown hint, such as one of a newer release. */
export function decodeHint(payload: Uint8Array): Hint | undefined {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  switch (bytes[0]) {
    case MESSAGE: {
      const end = bytes.indexOf(NEWLINE);
      const numbers = bytes.toString('latin1', 1, end).split(' ').map(Number);
      const [seq = NaN, unread = NaN, rev = NaN, sentAt = 0] = numbers;
      if (end < 0 || !Number.isInteger(seq + unread + rev)) return undefined;
      // An invalid time would spoil the metrics for good.
      const createdAt = Number.isInteger(sentAt) ? sentAt : 0;
      return { kind: 'message', seq, unread, rev, createdAt, frame: bytes.subarray(end + 1) };
    }
    case CHANGED:
      return { kind: 'changed' };
    case NOTE: {
      const end = bytes.indexOf(NEWLINE);
      if (end < 0) return undefined;
      return { kind: 'note', alias: bytes.toString('latin1', 1, end), frame: bytes.subarray(end + 1) };
    }
    case ROW:
      return { kind: 'row' };
    case TYPING: {
      const side = bytes.toString('latin1', 1);
      return side === 'visitor' || side === 'owner' ? { kind: 'typing', side } : undefined;
    }
    case COLLEAGUE: {
      // The rest is the name, which may contain spaces.
      const [doing, staffId = '', ...name] = bytes.toString('utf8', 1).split(' ');
      return v.is(Doing, doing) ? { kind: 'colleague', staffId, name: name.join(' '), doing } : undefined;
    }
    case VISITOR: {
      const [present, gatewayId = ''] = bytes.toString('latin1', 1).split(' ');
      return { kind: 'visitor', gatewayId, present: present === '1' };
    }
    case VISITORS: {
      const [gatewayId = '', ...conversationIds] = bytes.toString('latin1', 1).split(' ');
      return { kind: 'visitors', gatewayId, conversationIds };
    }
    default:
      return undefined;
  }
}

/** How long a gateway's report about its visitors is valid. The visitors of a dead gateway disappear after it. */
export const VISITOR_LEASE_MS = 40_000;

/** The subject of a conversation. A desk subscribes to all of its alias with `*`. */
export function subjectOf(handlerAlias: string, conversationId: string): string {
  return `conversation.${handlerAlias}.${conversationId}`;
}

export function partsOf(subject: string): { alias: string; conversationId: string } {
  const [, alias = '', conversationId = ''] = subject.split('.');
  return { alias, conversationId };
}

export const GLOBAL_SUBJECTS = {
  access: 'cell.access',
  presence: 'cell.presence',
  brand: 'cell.brand',
  /** Asks all gateways for a desk's visitors, after it was opened. */
  visitors: 'cell.visitors',
};
