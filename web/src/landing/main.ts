import { setupCalls } from '@settee/protocol/calls/setupCalls';
import { visitorCalls } from '@settee/protocol/calls/visitorCalls';
import type { Brand } from '@settee/protocol/model/brand';
import { initials } from '@settee/protocol/model/initials';
import { landingTexts } from '@settee/protocol/texts/landingTexts';
import { createApi } from '../net/api.ts';
import { watchKeyboardFocus } from '../ui/keyboardFocus.ts';
import { invitePath } from './inviteLink.ts';

type Welcome = {
  /** Undefined if it could not be read. */
  brand: Brand | undefined;
  /** Staff are available. */
  online: boolean;
  setupNeeded: boolean;
};

const { readBrand } = visitorCalls;
const { readSetup } = setupCalls;
const ask = createApi({ readBrand, readSetup }, {});

async function readWelcome(): Promise<Welcome> {
  const [brand, setup] = await Promise.all([ask('readBrand', {}), ask('readSetup', {})]);
  return {
    brand: brand.ok ? brand.answer.brand : undefined,
    online: brand.ok && brand.answer.online,
    setupNeeded: setup.ok && setup.answer.needed,
  };
}

// The served page is complete. This script fills in the profile and opens a pasted invite.

function element<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as T;
}

/** Opens a pasted invite link. The chat page checks whether it exists. */
function openInvites(): void {
  const link = element<HTMLInputElement>('link');
  const showProblem = (problem: string) => {
    element('problem').textContent = problem;
    if (problem) link.setAttribute('aria-invalid', 'true');
    else link.removeAttribute('aria-invalid');
  };
  link.addEventListener('input', () => showProblem(''));
  element('open').addEventListener('submit', (event) => {
    event.preventDefault();
    const path = invitePath(link.value, location.host);
    if (path) return location.assign(path);
    showProblem(landingTexts.landingInvalid);
    link.focus();
  });
}

function showProfile(brand: Brand, online: boolean): void {
  document.title = brand.displayName;
  element('host-name').textContent = brand.displayName;
  drawAvatar(element('avatar'), brand);
  if (!brand.verified) element('seal').remove();
  element('online').hidden = !online;
  element('host').hidden = false;
}

/** Shows the image, or initials until it has loaded. */
function drawAvatar(place: HTMLElement, { displayName, avatarUrl }: Brand): void {
  place.textContent = initials(displayName);
  if (!avatarUrl) return;
  const image = new Image();
  image.alt = '';
  image.addEventListener('load', () => place.replaceChildren(image));
  image.src = avatarUrl;
}

/** For a new installation. */
function offerSetup(): void {
  element('note').textContent = landingTexts.landingEmpty;
  element('set-up').hidden = false;
  element('open').remove();
  element('facts').remove();
}

watchKeyboardFocus();
openInvites();
void readWelcome().then(({ brand, online, setupNeeded }) => {
  if (setupNeeded) offerSetup();
  else if (brand) showProfile(brand, online);
});
