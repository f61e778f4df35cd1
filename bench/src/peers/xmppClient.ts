import { connect, type Socket } from 'node:net';
import { StanzaReader } from './stanzas.ts';

/** The domain of both XMPP servers. */
export const DOMAIN = 'localhost';
const PASSWORD = 'benchmark';
const PATIENCE_MS = 30_000;

/** A minimal XMPP client, because the load generator shares the CPU with the server that it measures. */
export class XmppClient {
  onStanza: (stanza: string) => void = () => {};
  onClose: (why: string) => void = () => {};
  readonly #socket: Socket;
  #reader = new StanzaReader();
  #why = 'the connection broke';

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('latin1');
    socket.on('data', (part) => {
      for (const stanza of this.#reader.read(part as unknown as string)) this.#take(stanza);
    });
    socket.on('error', ({ message }) => {
      this.#why = message;
    });
    socket.on('close', () => this.onClose(this.#why));
  }

  /** Creates the account. */
  static async register(port: number, user: string): Promise<void> {
    const client = await XmppClient.#open(port);
    const query = `<query xmlns='jabber:iq:register'><username>${user}</username><password>${PASSWORD}</password></query>`;
    await client.#ask(`<iq type='set' id='register'>${query}</iq>`, /^<iq[^>]*type=['"]result/);
    client.close();
  }

  /** A session that receives messages. */
  static async login(port: number, user: string): Promise<XmppClient> {
    const client = await XmppClient.#open(port);
    const secret = Buffer.from(`\0${user}\0${PASSWORD}`).toString('base64');
    await client.#ask(
      `<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>${secret}</auth>`,
      /^<success/,
    );
    client.#reader = new StanzaReader();
    await client.#begin();
    const bind = `<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><resource>bench</resource></bind>`;
    await client.#ask(`<iq type='set' id='bind'>${bind}</iq>`, /^<iq[^>]*id=['"]bind/);
    // The server answers in order: afterwards it knows that this session is present.
    const ping = `<iq type='get' id='ping' to='${DOMAIN}'><ping xmlns='urn:xmpp:ping'/></iq>`;
    await client.#ask(`<presence/>${ping}`, /^<iq[^>]*id=['"]ping/);
    return client;
  }

  static #open(port: number): Promise<XmppClient> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      socket.once('error', reject);
      socket.once('connect', () => {
        const client = new XmppClient(socket);
        client.#begin().then(() => resolve(client), reject);
      });
    });
  }

  /** Asks for an archive of all messages, as clients do. Prosody then keeps the preference in memory. */
  async archiveAll(): Promise<void> {
    const prefs = `<prefs xmlns='urn:xmpp:mam:2' default='always'><always/><never/></prefs>`;
    await this.#ask(`<iq type='set' id='prefs'>${prefs}</iq>`, /^<iq[^>]*id=['"]prefs/);
  }

  close(): void {
    this.#socket.destroy();
  }

  write(text: string): void {
    this.#socket.write(text, 'latin1');
  }

  async #begin(): Promise<void> {
    const names = `xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'`;
    await this.#ask(
      `<?xml version='1.0'?><stream:stream to='${DOMAIN}' version='1.0' ${names}>`,
      /^<stream:features/,
    );
  }

  /** Writes, and waits for the answer. Ignores other stanzas, except errors. */
  #ask(text: string, answer: RegExp): Promise<string> {
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => {
        settle();
        reject(new Error(`no ${answer.source}: ${why}`));
      };
      const late = setTimeout(() => fail('too late'), PATIENCE_MS);
      const settle = (): void => {
        clearTimeout(late);
        this.onStanza = () => {};
        this.onClose = () => {};
      };
      this.onClose = fail;
      this.onStanza = (stanza) => {
        if (answer.test(stanza)) {
          settle();
          resolve(stanza);
        } else if (/^<failure|^<iq[^>]*type=['"]error/.test(stanza)) fail(stanza);
      };
      this.write(text);
    });
  }

  #take(stanza: string): void {
    if (stanza.startsWith('<stream:error')) this.#why = stanza;
    this.onStanza(stanza);
  }
}
