/** Apple's own browser: the others on WebKit name themselves too, and so does the old browser of Android. */
export function isSafari(userAgent: string): boolean {
  return (
    /Version\/\S+ .*Safari\//.test(userAgent) && !/Chrom|CriOS|FxiOS|Edg|OPT|OPR|Android/.test(userAgent)
  );
}
