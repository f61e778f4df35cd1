import type { Down } from '@settee/protocol/frames/down';
import type { Brand } from '@settee/protocol/model/brand';

/** Whether somebody is there to answer. Unknown: the server could not tell. Lost: the server cannot be reached. */
export type Presence = 'checking' | 'online' | 'away' | 'unknown' | 'lost';

/** Whose chat this is, as it is shown. */
export type Profile = { brand: Brand; presence: Presence };

/** Frames of the live line, the answer of the one call, and that the one or the other failed. */
export type ProfileEvent =
  | Down
  | { type: 'read'; brand: Brand; online: boolean }
  | { type: 'readFailed'; answered: boolean }
  | { type: 'lineLost' };

export function profileReducer(profile: Profile, news: ProfileEvent): Profile {
  const { brand, presence } = profile;
  switch (news.type) {
    case 'welcome':
      return { brand: newer(brand, news.brand), presence: presenceOf(news.online) };
    case 'read':
      // The line may have been faster, and what it said since is the newer word.
      return {
        brand: newer(brand, news.brand),
        presence: isKnown(presence) ? presence : presenceOf(news.online),
      };
    case 'brand':
      return { ...profile, brand: newer(brand, news.brand) };
    case 'presence':
      return { ...profile, presence: presenceOf(news.online) };
    case 'readFailed':
      if (presence !== 'checking') return profile;
      return { ...profile, presence: news.answered ? 'unknown' : 'lost' };
    case 'lineLost':
      return { ...profile, presence: 'lost' };
    default:
      return profile;
  }
}

/** In the chat's header an unknown presence counts as online; the status indicator has it the other way round. */
export function showsOnline({ presence }: Profile): boolean {
  return presence === 'online' || presence === 'unknown';
}

function presenceOf(online: boolean): Presence {
  return online ? 'online' : 'away';
}

function isKnown(presence: Presence): boolean {
  return presence === 'online' || presence === 'away';
}

function newer(known: Brand, told: Brand): Brand {
  return told.updatedAt < known.updatedAt ? known : told;
}
