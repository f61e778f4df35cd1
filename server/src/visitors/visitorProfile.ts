import type { Conversation } from '@settee/protocol/model/conversation';
import { foldName } from '@settee/protocol/model/displayName';
import { texts } from '@settee/protocol/texts/texts';
import { hasDevice } from '../access/access.store.ts';
import { accessTo, conversationView } from '../access/access.ts';
import type { App } from '../platform/app.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import type { Visitor } from '../platform/ports/caller.ts';
import { readNamesFor } from '../profile/brand.store.ts';
import { type ProfileRow, setVisitorName, upsertProfile } from './profiles.store.ts';

/** Creates or updates the profile. Only a visitor with a conversation gets a row. */
export async function saveProfile(app: App, visitor: Visitor, displayName: string): Promise<ProfileRow> {
  await refuseOwnersName(app, visitor, displayName);
  if (!(await hasDevice(app.db, visitor))) throw new Refusal('not_found');
  return upsertProfile(app.db, visitor.visitorId, displayName);
}

export async function nameVisitor(
  app: App,
  visitor: Visitor,
  conversationId: string,
  visitorName: string,
): Promise<Conversation> {
  await refuseOwnersName(app, visitor, visitorName);
  if (!(await setVisitorName(app.db, visitor, conversationId, visitorName))) throw new Refusal('not_found');
  const access = await accessTo(app, visitor, conversationId);
  app.announce.conversationChanged(access.conversation);
  // The invite list shows who started the chat.
  app.announce.managementChanged('invites');
  return conversationView(access);
}

/** A visitor who has the profile's name could look like its owner, on screens and in exports. */
async function refuseOwnersName({ db }: App, visitor: Visitor, name: string): Promise<void> {
  const reserved = await readNamesFor(db, visitor);
  if (reserved.some((each) => foldName(each) === foldName(name)))
    throw new Refusal('bad_request', texts.nameReserved);
}
