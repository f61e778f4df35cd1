import { type CaughtMail, type Maildev, startMaildev } from '../../tools/mail/maildev.ts';
import { inDatabase } from './database.ts';
import { type Installation, startInstallation } from './ownInstallation.ts';
import { chooseInMenu, enterConsole, expectTexts, newPerson, send, startChat } from './people.ts';
import { expect, test } from './watched.ts';

const ADDRESS = 'tom@example.org';

/** The newest mail to the visitor whose subject matches. */
async function caught(maildev: Maildev, subject: RegExp): Promise<CaughtMail> {
  const newest = async () => (await maildev.mailsTo(ADDRESS)).findLast((each) => subject.test(each.subject));
  await expect.poll(newest).toBeDefined();
  return (await newest()) as CaughtMail;
}

/** Lets the seconds and the minute pass after which a reply becomes a mail. */
async function passTime({ databaseUrl }: Installation): Promise<void> {
  await expect(async () => {
    await inDatabase('update push_due set due_at = now() where due_at > now()', [], databaseUrl);
    const due = 'update visitor_mails set due_at = now() where due_at is not null';
    expect((await inDatabase(due, [], databaseUrl)).rowCount).toBe(1);
  }).toPass();
}

test('[MAIL-04] a visitor leaves an address and closes the page; the mail about the reply brings them back, and its link ends the mails', async ({
  browser,
  watcher,
}) => {
  const maildev = await startMaildev();
  const installation = await startInstallation({ SMTP_URL: maildev.url, MAIL_FROM: 'chat@settee.example' });
  try {
    watcher.allow(installation.url);
    await inDatabase('update brand set visitor_mail = true', [], installation.databaseUrl);
    const handler = installation.handler();
    const invite = installation.invite(handler.alias);
    const { page: visitor, context } = await newPerson(browser, { baseURL: installation.url });
    await startChat(visitor, invite, 'Tom');
    await send(visitor, 'Are you there?');
    await chooseInMenu(visitor, 'Get an e-mail about replies');
    await visitor.getByLabel('Your e-mail address').fill(ADDRESS);
    await visitor.getByRole('button', { name: 'Send code' }).click();
    const [code = ''] = /\d{6}/.exec((await caught(maildev, /\d{6}/)).subject) ?? [];
    await visitor.getByRole('textbox', { name: 'Code' }).fill(code);
    await visitor.getByRole('button', { name: 'Confirm' }).click();
    await expect(visitor.getByText('When there is a reply, we write to t…\u2060@example.org.')).toBeVisible();
    await visitor.close();

    const { page: desk } = await newPerson(browser, { baseURL: installation.url });
    await enterConsole(desk, handler, '/handler');
    await desk.getByRole('link', { name: /Tom/ }).click();
    await send(desk, 'Yes, here I am.');
    await passTime(installation);
    const mail = await caught(maildev, /^There is a reply/);
    expect(`${mail.text}${mail.html}`).not.toMatch(/here I am|Are you there/);
    expect(`${mail.text}${mail.html}`).not.toContain(handler.alias);
    expect(`${mail.text}${mail.html}`).not.toContain(invite.slice('/i/'.length));

    // The visitor reads the mail in the browser with the chat.
    const chatLink = /http\S+\/chat#\S+/.exec(mail.text)?.[0] ?? '';
    const back = await context.newPage();
    await back.goto(chatLink);
    await expectTexts(back, ['Are you there?', 'Yes, here I am.']);
    expect(new URL(back.url()).pathname).toBe(invite);

    // Another browser does not have it.
    const { page: stranger } = await newPerson(browser, { baseURL: installation.url });
    await stranger.goto(chatLink);
    await expect(stranger.getByRole('heading', { name: 'Open your chat' })).toBeVisible();
    await stranger.goto(/http\S+\/mail\/off\/\S+/.exec(mail.text)?.[0] ?? '');
    await stranger.getByRole('button', { name: 'No more mails' }).click();
    await expect(stranger.getByText('We have deleted your address.')).toBeVisible();
    const left = await inDatabase('select from visitor_mails', [], installation.databaseUrl);
    expect(left.rowCount).toBe(0);
    await back.reload();
    await chooseInMenu(back, 'Get an e-mail about replies');
    await expect(back.getByLabel('Your e-mail address')).toBeVisible();
  } finally {
    await installation.stop();
    await maildev.stop();
  }
});
