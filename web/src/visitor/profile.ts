import type { Down } from '@settee/protocol/frames/down';
import type { Brand } from '@settee/protocol/model/brand';

/** Whether staff are available. `unknown`: the server could not tell. `lost`: no connection. */
export type Presence = 'checking' | 'online' | 'away' | 'unknown' | 'lost';

export type Profile = {
  brand: Brand;
  presence: Presence;
  /** An open chat shows who is at its own desk. The other answers are about all desks. */
  inChat?: boolean;
  /** What the last welcome said, until the gateway reports the chat's desk. */
  anyone?: boolean | undefined;
};

/** Socket frames, and the result of the `readBrand` call. */
export type ProfileEvent =
  | Down
  | { type: 'read'; brand: Brand; online: boolean }
  | { type: 'readFailed'; answered: boolean }
  | { type: 'lineLost' }
  /** `returning`: nothing that the visitor has seen before is about this chat. */
  | { type: 'chatOpened'; returning: boolean };

export function profileReducer(profile: Profile, event: ProfileEvent): Profile {
  const { presence } = profile;
  switch (event.type) {
    case 'welcome':
      return profile.inChat
        ? { ...profile, brand: newer(profile, event.brand), anyone: event.online }
        : { brand: newer(profile, event.brand), presence: presenceOf(event.online) };
    case 'read':
      // The socket may have been faster, and its state is newer.
      return {
        ...profile,
        brand: newer(profile, event.brand),
        presence: profile.inChat || isKnown(presence) ? presence : presenceOf(event.online),
      };
    case 'brand':
      return { ...profile, brand: newer(profile, event.brand, true) };
    case 'presence':
      return { ...profile, presence: presenceOf(event.online), anyone: undefined };
    case 'watched':
      // A gateway of the release before does not report the desk.
      return profile.anyone === undefined
        ? profile
        : { ...profile, presence: presenceOf(profile.anyone), anyone: undefined };
    case 'chatOpened':
      return { ...profile, inChat: true, presence: event.returning ? 'checking' : presence };
    case 'readFailed':
      if (presence !== 'checking') return profile;
      return { ...profile, presence: event.answered ? 'unknown' : 'lost' };
    case 'lineLost':
      return { ...profile, presence: 'lost' };
    default:
      return profile;
  }
}

/** The chat's header shows an unknown presence as online. StatusIndicator does the opposite. */
export function showsOnline({ presence }: Profile): boolean {
  return presence === 'online' || presence === 'unknown';
}

function presenceOf(online: boolean): Presence {
  return online ? 'online' : 'away';
}

function isKnown(presence: Presence): boolean {
  return presence === 'online' || presence === 'away';
}

/**
 * In a chat, only a `brand` frame changes whose profile it is: the link may have been replaced, and then shows the first
 * one.
 */
function newer({ brand, inChat }: Profile, received: Brand, mayBeOther = !inChat): Brand {
  if (received.mark !== brand.mark) return mayBeOther || brand.updatedAt === 0 ? received : brand;
  return received.updatedAt < brand.updatedAt ? brand : received;
}
