import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export type Service = {
  image?: string;
  build?: object | undefined;
  pull_policy?: string;
  command?: string[];
  entrypoint?: string[];
  /** Null: `${NAME:-}` of a name that is not set. */
  environment?: Record<string, string | null>;
  secrets?: (string | { source: string })[];
  networks?: string[];
  volumes?: string[];
  ports?: string[];
  profiles?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test?: string[]; disable?: boolean };
};

export type Compose = {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean }>;
  volumes: Record<string, object>;
  secrets: Record<string, { file: string }>;
};

/** Reads compose.yaml and replaces variables like Compose does. */
export function readCompose(checkout: string, given: Record<string, string> = {}): Compose {
  const text = readFileSync(join(checkout, 'ops/compose.yaml'), 'utf8');
  return parse(filled(text, given), { merge: true }) as Compose;
}

/** From the inside out, because a default may contain another variable. */
function filled(text: string, given: Record<string, string>): string {
  const next = text.replaceAll(
    /\$\{([A-Z_]+):([-+])([^${}]*)\}/g,
    (_, name: string, how: string, other: string) =>
      (how === '-' ? given[name] || other : given[name] && other) ?? '',
  );
  return next === text ? text : filled(next, given);
}
