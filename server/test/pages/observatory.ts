/** The points of one rule, and why. */
type Result = { rule: string; points: number };

const SIX_MONTHS_SECONDS = 15_768_000;

/**
 * Grades an answer by the rules of MDN's HTTP Observatory. 100 points are an A+. Not included: the redirect from http,
 * which the proxy does, and the list of preloaded hosts.
 */
export function gradePage(headers: Headers, html: string): { score: number; results: Result[] } {
  const results = [
    contentPolicy(headers.get('content-security-policy') ?? ''),
    cookies(headers.getSetCookie()),
    crossOriginSharing(headers.get('access-control-allow-origin')),
    referrerPolicy(headers.get('referrer-policy')),
    strictTransport(headers.get('strict-transport-security') ?? ''),
    subresources(html),
    { rule: 'x-content-type-options', points: headers.get('x-content-type-options') === 'nosniff' ? 0 : -5 },
    framing(headers),
    resourcePolicy(headers.get('cross-origin-resource-policy')),
  ];
  return { score: results.reduce((sum, { points }) => sum + points, 100), results };
}

function contentPolicy(policy: string): Result {
  const rule = 'content-security-policy';
  const directives = new Map(
    policy.split(';').map((part) => {
      const [name = '', ...sources] = part.trim().split(/\s+/);
      return [name, sources] as const;
    }),
  );
  if (policy === '') return { rule, points: -25 };
  const fallback = directives.get('default-src') ?? ['*'];
  const scripts = directives.get('script-src') ?? fallback;
  const objects = directives.get('object-src') ?? fallback;
  const styles = directives.get('style-src') ?? fallback;
  const broad = ['*', 'http:', 'https:', 'data:', "'unsafe-inline'"];
  if ([...scripts, ...objects].some((source) => broad.includes(source))) return { rule, points: -20 };
  if ([...directives.values()].flat().some((source) => source.startsWith('http:')))
    return { rule, points: -20 };
  if (scripts.includes("'unsafe-eval'")) return { rule, points: -10 };
  if (styles.some((source) => broad.includes(source))) return { rule, points: 0 };
  return { rule, points: fallback.join(' ') === "'none'" ? 10 : 5 };
}

function cookies(lines: string[]): Result {
  const rule = 'cookies';
  if (lines.length === 0) return { rule, points: 0 };
  const has = (attribute: RegExp) => lines.every((line) => attribute.test(line));
  if (!has(/; *secure/i)) return { rule, points: -40 };
  if (!has(/; *httponly/i)) return { rule, points: -30 };
  return { rule, points: has(/; *samesite=(?:lax|strict)/i) ? 5 : 0 };
}

function crossOriginSharing(origin: string | null): Result {
  return { rule: 'cross-origin-resource-sharing', points: origin === null ? 0 : -50 };
}

function referrerPolicy(value: string | null): Result {
  const good = ['no-referrer', 'same-origin', 'strict-origin', 'strict-origin-when-cross-origin'];
  return { rule: 'referrer-policy', points: value !== null && good.includes(value) ? 5 : -5 };
}

function strictTransport(value: string): Result {
  const seconds = Number(/max-age=(\d+)/.exec(value)?.[1] ?? 0);
  const points = seconds >= SIX_MONTHS_SECONDS ? 0 : seconds > 0 ? -10 : -20;
  return { rule: 'strict-transport-security', points };
}

/** Scripts of other origins need a hash of their content. */
function subresources(html: string): Result {
  const foreign = /<script[^>]+src="(?:https?:)?\/\//i.test(html);
  return { rule: 'subresource-integrity', points: foreign ? -50 : 0 };
}

function framing(headers: Headers): Result {
  const rule = 'x-frame-options';
  const policy = headers.get('content-security-policy') ?? '';
  if (/frame-ancestors '(?:none|self)'/.test(policy)) return { rule, points: 5 };
  return { rule, points: headers.has('x-frame-options') ? 0 : -20 };
}

function resourcePolicy(value: string | null): Result {
  const rule = 'cross-origin-resource-policy';
  if (value === null || value === 'cross-origin') return { rule, points: 0 };
  return { rule, points: 10 };
}
