/** Other browsers with WebKit, and the old Android browser, also contain "Safari" but add their own name. */
export function isSafari(userAgent: string): boolean {
  return (
    /Version\/\S+ .*Safari\//.test(userAgent) && !/Chrom|CriOS|FxiOS|Edg|OPT|OPR|Android/.test(userAgent)
  );
}
