import type { OwnProfile } from '@settee/protocol/model/profile';

/** The profile of a desk, for a person with several profiles. */
export function profileAt(
  profiles: readonly OwnProfile[],
  alias: string | undefined,
): OwnProfile | undefined {
  return alias === undefined ? undefined : profiles.find(({ desks }) => desks.includes(alias));
}

/** The desk of a chat: of the chat itself, or of its row. The row of a person with one desk names none. */
export function deskOf(chat: object | null | undefined): string | undefined {
  const { handlerAlias, alias }: { handlerAlias?: string; alias?: string } = chat ?? {};
  return handlerAlias ?? alias;
}
