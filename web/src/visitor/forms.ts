import { CodeBanner } from './CodeBanner.tsx';
import { CodeView } from './CodeView.tsx';
import { claim } from './claim.ts';
import { DeviceJoinedNotice } from './DeviceJoinedNotice.tsx';
import { EmptyChat, Greeting, UsualReply } from './EmptyChat.tsx';
import { ChangeName, NameGate } from './NameGate.tsx';

/** Parts that a visitor uses once or rarely, loaded as a separate script. */
export const forms = {
  CodeBanner,
  CodeView,
  ChangeName,
  EmptyChat,
  Greeting,
  DeviceJoinedNotice,
  NameGate,
  UsualReply,
  claim,
};
