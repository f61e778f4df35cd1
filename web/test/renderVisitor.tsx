import { expect } from 'vitest';
import { render } from 'vitest-browser-react';
import { BrandChat } from '../src/visitor/BrandChat.tsx';
import { connect } from '../src/visitor/connection.ts';
import { InvitePage } from '../src/visitor/InvitePage.tsx';
import { appRoot, goTo } from './appRoot.ts';
import { aVisitor, inviteToken, type VisitorParts } from './aVisitor.ts';
import { type Answers, fakeGateway } from './fakeGateway.ts';

type VisitorOptions = VisitorParts & {
  /** `/chat` shows the page of the public profile. */
  path?: `/i/${string}` | '/chat' | `/chat#${string}`;
  /** Answers besides or instead of those of `aVisitor`. */
  answers?: Answers;
  /** Returns at once, without waiting for the first answer. */
  atOnce?: boolean;
};

/** The visitor's page on a fake gateway: by default the open chat. For a reload, unmount it and render it again. */
export async function renderVisitor({
  path = `/i/${inviteToken}`,
  answers,
  atOnce,
  ...parts
}: VisitorOptions = {}) {
  goTo(path);
  const visitor = aVisitor(parts);
  const gateway = fakeGateway('visitor', { ...visitor.answers, ...answers }, visitor.frames);
  const connection = connect();
  const token = path.split('/')[2];
  const screen = await render(
    token ? <InvitePage token={token} connection={connection} /> : <BrandChat connection={connection} />,
    { container: appRoot() },
  );
  if (!atOnce) await expect.poll(() => gateway.received('hello').length).toBeGreaterThan(0);
  return { screen, gateway, chat: visitor.chat };
}
