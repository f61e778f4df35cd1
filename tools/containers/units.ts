// The units of ops/systemd on a bare Debian, by the lines of the guides: from nothing to the first answered message, restarted
// and killed, confined, and backed up.
import { continueChat, type FirstChat, Visitors } from '../../e2e/containers/firstChat.ts';
import type { Chat } from '../ops/chat.ts';
import type { Tests } from '../ops/tests.ts';
import { firstMessage } from './guide.ts';
import type { Server } from './server.ts';
import { makeBareDebian } from './standIns.ts';
import { Debian, GATEWAY } from './units/debian.ts';
import { addCaddy, addCommandLine, followGuide } from './units/guide.ts';
import { losesNothing, openUnitsChat, restores, timerBacksUp, verifies } from './units/life.ts';
import { confines, controls, placeProbe } from './units/sandbox.ts';

/** The pages try again after growing delays. */
const RECONNECT_MS = 90_000;

export async function units(checkout: string, tests: Tests, server: Server): Promise<void> {
  makeBareDebian(server);
  const debian = Debian.start(server);
  let visitors: Visitors | undefined;
  let certificate = '';
  try {
    await debian.booted();
    const began = performance.now();
    const code = await tests.run('the lines of the guide start the units on a bare Debian', () =>
      followGuide(checkout, debian),
    );
    if (code === undefined) return;
    const chat = await tests.run('from nothing to the first answered message, over HTTPS', async () => {
      certificate = await addCaddy(checkout, debian);
      visitors = await Visitors.open(await server.forward(443), certificate);
      return firstMessage(visitors, code, began);
    });
    await tests.run('the command line of the guide finds no problem', () =>
      addCommandLine(checkout, debian, certificate),
    );
    await sandbox(debian, tests);
    if (chat === undefined) return;
    await restarts(debian, tests, chat);
    await backup(checkout, debian, tests, chat);
  } finally {
    await visitors?.close();
    debian.remove();
  }
}

async function sandbox(debian: Debian, tests: Tests): Promise<void> {
  placeProbe(debian);
  await tests.run('a probe in each unit can do only what the unit needs', () => confines(debian));
  await tests.run('the same probe without a sandbox can do everything', () => controls(debian));
}

async function backup(checkout: string, debian: Debian, tests: Tests, chat: FirstChat): Promise<void> {
  const name = await tests.run('the timer makes a backup', () => timerBacksUp(debian));
  if (name === undefined) return;
  await tests.run('the documented command verifies it, and refuses a damaged copy', () =>
    verifies(checkout, debian, name),
  );
  await tests.run('the lines of the guide restore it', () => restores(checkout, debian, chat, name));
}

async function restarts(debian: Debian, tests: Tests, chat: FirstChat): Promise<void> {
  const port = await debian.openEntrance();
  const loses = async (other: Chat, topic: string, command: string): Promise<void> => {
    const count = await losesNothing(debian, other, port, command);
    console.log(`  ${count} acknowledged messages, all stored`);
    await continueChat(chat, topic, RECONNECT_MS);
  };
  const other = await openUnitsChat(debian, port);
  await tests.run('restarted by systemctl, the gateway comes back and loses nothing', () =>
    loses(other, 'Restarted', `systemctl restart ${GATEWAY}`),
  );
  await tests.run('killed with SIGKILL, the gateway comes back and loses nothing', () =>
    loses(other, 'Killed', `kill -9 ${debian.property(GATEWAY, 'MainPID')}`),
  );
  await tests.run('the boot starts the gateway and the timer', async () => {
    debian.run(
      `systemctl stop ${GATEWAY} settee-backup.timer\nsystemctl start multi-user.target timers.target`,
    );
    await debian.until('curl --silent --fail http://127.0.0.1:18081/readyz');
    debian.run('systemctl is-active settee-backup.timer');
    await continueChat(chat, 'Booted', RECONNECT_MS);
  });
}
