import { landingTexts } from '@settee/protocol/texts/landingTexts';
import { createHandler, createInvite } from './accounts.ts';
import { startChat, visitAndLeave } from './people.ts';
import { alsoInFirefox, expect, test } from './watched.ts';

test(
  '[R-01] [PAGE-15] the landing page shows the profile, and opens only a pasted invite link of its host',
  alsoInFirefox,
  async ({ page, baseURL }) => {
    const { alias } = createHandler();
    const [first, second] = [createInvite(alias), createInvite(alias)];
    const profile = (await (await page.request.get('/brand')).json()).brand.displayName;
    await page.goto('/');
    await expect(
      page.getByRole('heading', { name: 'A seat for two, with someone everyone knows.' }),
    ).toBeVisible();
    await expect(page.getByRole('main').getByText(profile, { exact: true })).toBeVisible();
    await expect(page).toHaveTitle(profile);

    const field = page.getByLabel('Invite link');
    const refused = page.getByText(landingTexts.landingInvalid);
    const token = first.slice('/i/'.length);
    for (const wrong of ['', 'hello', `https://elsewhere.example${first}`, token.slice(1), `${token}x`]) {
      await field.fill(wrong);
      await field.press('Enter');
      await expect(refused, wrong).toBeVisible();
      await expect(page).toHaveURL(`${baseURL}/`);
    }
    await field.fill(`${baseURL}${first}`);
    await expect(refused).toBeHidden();
    await visitAndLeave(page, async () => {
      await page.getByRole('button', { name: 'Open chat' }).click();
      await expect(page).toHaveURL(`${baseURL}${first}`);
    });
    await startChat(page, first, 'Jonas');

    // Even a browser with a stored chat still needs its link. The chat page closes first: its own calls do not count.
    await page.goto('about:blank');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto('/');
    await expect(page.getByRole('main').getByText(profile, { exact: true })).toBeVisible();
    await expect(page).toHaveURL(`${baseURL}/`);
    expect(asked.filter((path) => !/^\/(?:assets\/|favicon)/.test(path)).toSorted()).toEqual([
      '/',
      '/brand',
      '/setup',
    ]);
    const links = await page
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(links).toEqual(['/handler']);
    expect(await page.content()).not.toContain(token);
    await page.reload();
    await expect(page).toHaveURL(`${baseURL}/`);

    // Only the chat page reports that an invite does not exist. Here both look like invite links.
    await field.fill(second.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')));
    await field.press('Enter');
    await expect(page.getByText('Invite not found')).toBeVisible();
  },
);
