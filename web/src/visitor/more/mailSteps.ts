import type { ReplyMail } from '@settee/protocol/model/mail';
import { visitorMailTexts } from '@settee/protocol/texts/visitorMailTexts';

export type Work = 'form' | 'again' | 'remove';

export type MailState = {
  /** Undefined until it was read. */
  mail: ReplyMail | undefined;
  /** As the visitor entered it. The server shows only parts of it. */
  entered: string | undefined;
  changing: boolean;
  busy: Work | null;
  sentAgain: boolean;
  /** The codes that were sent again. Each begins with an empty field. */
  newCodes: number;
  problem: string | null;
  /** Counts the changes, so that an older answer does not undo one. */
  changes: number;
};

type MailEvent =
  | { type: 'read'; mail: ReplyMail; changes: number }
  | { type: 'began'; work: Work }
  | { type: 'done'; mail: ReplyMail; entered?: string }
  | { type: 'failed'; text: string }
  | { type: 'edited' | 'otherAddress' };

export const firstMailState: MailState = {
  mail: undefined,
  entered: undefined,
  changing: false,
  busy: null,
  sentAgain: false,
  newCodes: 0,
  problem: null,
  changes: 0,
};

/** The steps of the dialog: the address, the code that was sent there, and its use. */
export function mailStep({ mail, changing }: MailState): 'address' | 'code' | 'on' {
  if (changing) return 'address';
  return mail?.pending ? 'code' : mail?.address ? 'on' : 'address';
}

export function afterMailEvent(state: MailState, event: MailEvent): MailState {
  const { busy, changes } = state;
  switch (event.type) {
    case 'read': {
      if (event.changes !== changes) return state;
      const { pending, address } = event.mail;
      const expired = state.mail?.pending && !pending && !address;
      return { ...state, mail: event.mail, ...(expired && { problem: visitorMailTexts.codeExpired }) };
    }
    case 'began':
      return { ...state, busy: event.work, problem: null, sentAgain: false, changes: changes + 1 };
    case 'done': {
      const sentAgain = busy === 'again';
      const newCodes = state.newCodes + Number(sentAgain);
      const { mail, entered = state.entered } = event;
      return {
        ...state,
        mail,
        entered,
        changing: false,
        busy: null,
        sentAgain,
        newCodes,
        changes: changes + 1,
      };
    }
    case 'failed':
      return { ...state, busy: null, problem: event.text, changes: changes + Number(busy !== null) };
    case 'edited':
      return { ...state, problem: null };
    case 'otherAddress':
      return { ...state, problem: null, changing: true };
  }
}
