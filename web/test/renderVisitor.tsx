import { PROTOCOL_VERSION } from '@settee/protocol/frames/version';
import { type Brand, defaultBrand } from '@settee/protocol/model/brand';
import { VisitorConversation } from '@settee/protocol/model/conversation';
import type { InviteState } from '@settee/protocol/model/invite';
import * as v from 'valibot';
import { expect } from 'vitest';
import { render } from 'vitest-browser-react';
import { BrandChat } from '../src/visitor/BrandChat.tsx';
import { connect } from '../src/visitor/connection.ts';
import { InvitePage } from '../src/visitor/InvitePage.tsx';
import { appRoot, goTo } from './browser.ts';
import { type Chat, conversationOf, fakeChats, idOf, type Line, messagesOf } from './chats.ts';
import { type Answers, type FrameHandlers, fakeGateway, Refused } from './fakeGateway.ts';

export type VisitorParts = {
  /** The name of the visitor. Empty for one who has not given it. */
  name?: string;
  messages?: readonly Line[];
  conversation?: Partial<VisitorConversation>;
  brand?: Partial<Brand>;
  /** Whether a handler is online. */
  online?: boolean;
  /** The state of the invite. With `BOUND`, this device has access if `attached`. */
  invite?: InviteState;
  /** This device has opened the chat before. */
  attached?: boolean;
};

export const inviteToken = 'a0bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb';
export const continueCode = '4821';

/** What the gateway answers to a visitor. */
export function aVisitor(parts: VisitorParts) {
  const { name = 'Léa Moreau', messages: lines = [], attached = true, online = true } = parts;
  const { invite = attached ? 'BOUND' : 'NEW' } = parts;
  const brand: Brand = { ...defaultBrand, ...parts.brand };
  const visitorId = idOf(`visitor ${name}`);
  const messages = messagesOf(idOf(name), lines);
  const chat: Chat<'visitor'> = {
    messages,
    conversation: {
      ...v.getDefaults(VisitorConversation),
      ...conversationOf(name, messages),
      visitorId,
      isFirstDevice: true,
      ...(attached && { continueCode }),
      ...parts.conversation,
    },
  };
  const { id } = chat.conversation;
  const token = () => ({ idToken: 'id-token', expiresAt: Date.now() + 3_600_000 });
  const conversations = fakeChats('visitor', [chat]);
  let bound = attached;
  const answers: Answers = {
    ...conversations.answers,
    signInAnonymously: () => ({ visitorId, ...token() }),
    checkInvite: () => ({
      exists: true,
      expired: false,
      revoked: false,
      state: bound ? 'BOUND' : invite,
      error: null,
    }),
    claimInvite() {
      bound = true;
      return { conversationId: id, continueCode, error: null, ...token() };
    },
    attachInvite({ body }) {
      if (!bound && body.code !== continueCode)
        return body.code === ''
          ? new Refused('invite_bound', { needsCode: true })
          : new Refused('code_invalid');
      bound = true;
      return { conversationId: id, needsCode: false, error: null, ...token() };
    },
    seeInvite: { cookie: true },
    readBrand: { brand, online },
    readProfile: { profile: null },
    saveProfile: ({ body }) => ({
      profile: { visitorId, displayName: body.displayName, createdAt: Date.now(), fcmToken: null },
    }),
    nameVisitor({ body }) {
      chat.conversation.visitorName = body.visitorName;
      chat.conversation.rev += 1;
      return { conversation: chat.conversation };
    },
    renewCode: { continueCode },
    readDevices: { devices: [] },
    readPushKey: { publicKey: null },
  };
  const frames: FrameHandlers<'visitor'> = {
    ...conversations.frames,
    hello: () => [
      {
        type: 'welcome',
        version: PROTOCOL_VERSION,
        serverTime: Date.now(),
        brand,
        online,
        visitorId,
      },
    ],
  };
  return { answers, frames, chat };
}

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
