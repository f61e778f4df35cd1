import { isIP } from 'node:net';

/** Parses values and collects problems. It never quotes a value, which may be a secret. */
export class ConfigReader<KeyName extends string> {
  readonly #values: ReadonlyMap<KeyName, string>;
  readonly #problems: string[];

  constructor(values: ReadonlyMap<KeyName, string>, problems: string[]) {
    this.#values = values;
    this.#problems = problems;
  }

  problem(text: string): void {
    this.#problems.push(text);
  }

  text(name: KeyName): string {
    return this.#values.get(name) ?? '';
  }

  integer(name: KeyName, min: number, max: number): number {
    const value = this.text(name);
    const number = Number(value);
    if (!/^[0-9]+$/.test(value) || number < min || number > max) {
      this.problem(`${name} must be a whole number from ${min} to ${max}`);
    }
    return number;
  }

  share(name: KeyName): number {
    const value = this.text(name);
    const number = Number(value);
    if (!/^[0-9.]+$/.test(value) || !(number >= 0 && number <= 1)) {
      this.problem(`${name} must be a number from 0 to 1`);
    }
    return number;
  }

  matching(name: KeyName, pattern: RegExp, complaint: string): string {
    const value = this.text(name);
    if (!pattern.test(value)) this.problem(`${name} ${complaint}`);
    return value;
  }

  longer(name: KeyName, min: number): string {
    const value = this.text(name);
    if (value !== '' && value.length < min) this.problem(`${name} must have at least ${min} characters`);
    return value;
  }

  oneOf<const T extends string>(name: KeyName, allowed: readonly T[]): T {
    const found = allowed.find((value) => value === this.text(name));
    if (found === undefined) this.problem(`${name} must be one of ${allowed.join(', ')}`);
    return found ?? (allowed[0] as T);
  }

  addresses(name: KeyName): false | string[] {
    if (this.text(name) === 'false') return false;
    const entries = this.text(name)
      .split(',')
      .map((entry) => entry.trim());
    if (!entries.every(isAddressRange)) {
      this.problem(
        `${name} must be false, or addresses, ranges, loopback or uniquelocal separated by commas`,
      );
    }
    return entries;
  }

  hosts(name: KeyName): string[] {
    const entries = this.text(name)
      .split(',')
      .map((entry) => entry.trim().toLowerCase())
      .filter((entry) => entry !== '');
    if (!entries.every((entry) => URL.parse(`https://${entry}/`)?.host === entry)) {
      this.problem(`${name} must be hosts, or hosts with a port, separated by commas`);
    }
    return entries;
  }

  url(name: KeyName, protocols: readonly string[]): string | undefined {
    const value = this.text(name);
    if (value === '') return undefined;
    if (!protocols.includes(URL.parse(value)?.protocol ?? '')) {
      this.problem(`${name} must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`);
    }
    return value;
  }

  /** Detects unescaped characters in the user or the password, a frequent mistake. Then it is empty. */
  credentialUrl(name: KeyName, protocols: readonly string[]): string {
    const value = this.text(name);
    const { username = '', password = '' } = URL.parse(value) ?? {};
    if (/^[a-z0-9]+:\/\/[^@/?#]*[/?#].*@/.test(value) || ![username, password].every(isDecodable)) {
      this.problem(
        `${name} is not valid: the user or the password contains a character that must be percent-encoded. Write %2F for /, %23 for #, %3F for ?, %40 for @, %3A for :, %25 for %`,
      );
      return '';
    }
    return this.url(name, protocols) ?? '';
  }

  urls(name: KeyName, protocols: readonly string[]): string | undefined {
    const value = this.text(name);
    if (value === '') return undefined;
    if (!value.split(',').every((url) => protocols.includes(URL.parse(url.trim())?.protocol ?? ''))) {
      const start = protocols.map((protocol) => `${protocol}//`).join(' or ');
      this.problem(`${name} must be a URL that starts with ${start}, or several separated by commas`);
    }
    return value;
  }

  origin(name: KeyName): string | undefined {
    const value = this.text(name);
    if (value === '') return undefined;
    const url = URL.parse(value);
    const bare =
      url !== null &&
      url.href === `${url.origin}/` &&
      (url.protocol === 'http:' || url.protocol === 'https:');
    if (!bare) this.problem(`${name} must be http(s)://host or http(s)://host:port, with no path`);
    return url?.origin ?? value;
  }
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function isAddressRange(entry: string): boolean {
  if (entry === 'loopback' || entry === 'uniquelocal') return true;
  const [address = '', bits, ...rest] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^[0-9]{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
