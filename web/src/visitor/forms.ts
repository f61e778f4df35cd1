import { CodeBanner } from './CodeBanner.tsx';
import { CodeView } from './CodeView.tsx';
import { claim } from './claim.ts';
import { DeviceJoinedNotice } from './DeviceJoinedNotice.tsx';
import { EmptyChat, Greeting } from './EmptyChat.tsx';
import { ChangeName } from './more/ChangeName.tsx';
import { NameGate } from './NameGate.tsx';

/** What a person meets once, on the way into a chat, or by choice: one script, apart from the chat's own. */
export const forms = {
  CodeBanner,
  CodeView,
  ChangeName,
  EmptyChat,
  Greeting,
  DeviceJoinedNotice,
  NameGate,
  claim,
};
