// A separate process: users of an XMPP server, who send to their partners at a given rate or stay idle.
import { forEachConcurrently } from '../../../server/src/limits/concurrency.ts';
import { currentStep, generate, type Sender } from '../step.ts';
import { PEER_TEXT } from '../text.ts';
import { DOMAIN, XmppClient } from './xmppClient.ts';

/** `senders` write to the users of the same place in `receivers`. */
export type XmppSetup = { port: number; senders: string[]; receivers: string[] };

const WIDTH = 20;
const NUMBER = /^<message[^>]* id=['"]m([0-9a-f]+)['"]/;
const ERROR = /^<message[^>]* type=['"]error['"]/;

function receive(stanza: string): void {
  const number = NUMBER.exec(stanza)?.[1];
  if (number !== undefined) currentStep()?.onMessage(Number.parseInt(number, 16));
}

/** The server returned the message, for example because nobody is there. */
function receiveAsSender(stanza: string): void {
  if (ERROR.test(stanza)) currentStep()?.onRefusal();
}

async function connectAll({ port, senders, receivers }: XmppSetup): Promise<Sender[]> {
  const login = async (user: string, onStanza: (stanza: string) => void): Promise<XmppClient> => {
    const client = await XmppClient.login(port, user);
    client.onStanza = onStanza;
    client.onClose = (why) => currentStep()?.onClose(why);
    return client;
  };
  await forEachConcurrently(receivers, WIDTH, async (user) => {
    await login(user, receive);
  });
  const ready: Sender[] = [];
  await forEachConcurrently([...senders.entries()], WIDTH, async ([index, user]) => {
    const client = await login(user, receiveAsSender);
    const to = `${receivers[index]}@${DOMAIN}`;
    ready.push({
      send(number) {
        client.write(
          `<message to='${to}' type='chat' id='m${number.toString(16)}'><body>${PEER_TEXT}</body></message>`,
        );
        // XMPP has no acknowledgement: what the server took and does not deliver counts as lost.
        currentStep()?.onAck(number);
      },
      lastSeq: 0,
      lastNumber: 0,
    });
  });
  return ready;
}

generate(connectAll);
