import { LiveClient } from './client.ts';

/**
 * A console in a separate process. A test can freeze it like a machine that lost its power: the socket stays open, but
 * nothing responds. Prints when it is welcomed and whenever the server pings it.
 */
const [url = '', origin = '', token = ''] = process.argv.slice(2);
const print = (word: string) => process.stdout.write(`${word}\n`);
const socket = await LiveClient.open(url, origin, token, { pinged: () => print('pinged') });
print('welcome');
setInterval(() => socket.send({ type: 'ping' }), 60_000);
