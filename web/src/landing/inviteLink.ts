/** The page's own path for a pasted invite link, whatever came before and after it; undefined when it is none. */
export function invitePath(pasted: string): string | undefined {
  const token = /(?:^|\/i\/)([0-9a-z]{2}[A-Za-z0-9_-]{32})(?:[/?#].*)?$/.exec(pasted.trim())?.[1];
  return token && `/i/${token}`;
}
