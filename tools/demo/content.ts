import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { parse } from 'yaml';

/** Sender, text or image, and seconds after the line before. */
export type Line = readonly [
  sender: 'visitor' | 'owner',
  what: string | { picture: DrawingName },
  after: number,
];

/** A conversation of the demo. */
export type Story = {
  name: string;
  desk: string;
  label: string;
  /** Minutes since the last line. */
  endedAgo: number;
  lines: readonly Line[];
  notes?: readonly (readonly [afterLine: number, text: string])[];
  /** Lines at the end that the desk has not seen. */
  unread?: number;
  outcome?: 'closed' | { blocked: string };
  handedTo?: { desk: string; note: string };
};

type Exchange = readonly [question: string, answer: string];
type StaffMember = { email: string; name: string };

type Content = {
  profile: { displayName: string; verified: boolean; disclosure: string };
  admin: StaffMember;
  handlers: (StaffMember & { alias: string; otherDesks?: string[] })[];
  savedReplies: { shortcut: string; text: string; shared: boolean }[];
  stories: Story[];
  exchanges: Exchange[];
  farewells: Exchange[];
  openings: string[];
  greetings: string[];
  names: string[];
  labels: string[];
  simulatedVisitors: string[];
  scriptReplies: string[];
};

export const content = parse(readFileSync(join(import.meta.dirname, 'content.yaml'), 'utf8')) as Content;

/** Public: the demo refuses every address but that of this machine. */
export const DEMO_PASSWORD = 'settee-demo-only';

/** The simulated handler. */
export const script = content.handlers.at(-1) as Content['handlers'][number];

export function pick<T>(random: { below(limit: number): number }, from: readonly T[]): T {
  return from[random.below(from.length)] as T;
}

/** All images of the demo and the gallery. They are drawn here, so they need no licence. */

const AVATAR = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">
  <defs><linearGradient id="b" x2="0" y2="1"><stop offset="0" stop-color="#e8b5a0"/><stop offset="1" stop-color="#a4557a"/></linearGradient></defs>
  <rect width="512" height="512" fill="url(#b)"/>
  <path d="M138 226c0-84 50-132 118-132s118 48 118 132v142H138Z" fill="#32162a"/>
  <path d="M86 512c6-92 70-132 170-132s164 40 170 132Z" fill="#7a2a5a"/>
  <path d="M222 310h68v70c0 24-68 24-68 0Z" fill="#e9c3ab"/>
  <ellipse cx="256" cy="250" rx="72" ry="90" fill="#f7ddc9"/>
  <path d="M178 236c6-76 40-106 86-106 44 0 74 30 72 98-54-6-84-28-98-56-10 34-30 54-60 64Z" fill="#32162a"/>
</svg>`;

const LETTER = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1160 740">
  <defs><radialGradient id="g" cx=".3" cy=".1" r="1"><stop offset="0" stop-color="#c79a5a"/>
  <stop offset=".5" stop-color="#5d4030"/><stop offset="1" stop-color="#1d0f18"/></radialGradient></defs>
  <rect width="1160" height="740" fill="url(#g)"/>
  <path d="M160 150 930 50l90 720H230Z" fill="#f3dfc1"/>
  <g fill="none" stroke="#8a7466" stroke-width="7" stroke-linecap="round">
  <path d="M250 230q60-30 110 0t110 0 120-15M255 300q60-30 110 0t130 0 250-30M260 370q60-30 110 0t240 0"/>
  <path d="M280 520q80-30 160 0t200 0 200-20M290 590q60-20 120 0t180-10"/></g>
  <path d="m255 450 400-40m-390 56 396-40" stroke="#b3382c" stroke-width="9" stroke-linecap="round"/>
  <path d="m1040 300 44 22-200 420-46-20Z" fill="#7a2a5a"/><path d="m1040 300 44 22 16-36-42-20Z" fill="#f2a93b"/>
  <path d="m838 722 46 20-40 50Z" fill="#e9c9a0"/>
</svg>`;

/** Tall. */
const LIGHTHOUSE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 1400">
  <defs><linearGradient id="s" x2="0" y2="1"><stop offset="0" stop-color="#16233f"/>
  <stop offset=".6" stop-color="#5b4a78"/><stop offset="1" stop-color="#e09a62"/></linearGradient></defs>
  <rect width="700" height="1400" fill="url(#s)"/>
  <g fill="#fff" opacity=".8"><circle cx="120" cy="160" r="4"/><circle cx="230" cy="320" r="3"/><circle cx="590" cy="120" r="4"/><circle cx="80" cy="520" r="3"/></g>
  <path d="M360 440 700 260v360Z" fill="#ffe2a0" opacity=".5"/>
  <path d="m290 500-80 700h290l-80-700Z" fill="#f5efe6"/>
  <path d="m272 660-18 150h202l-18-150ZM238 960l-16 140h266l-16-140Z" fill="#b3382c"/>
  <rect x="300" y="390" width="110" height="110" fill="#ffd27a"/><path d="m280 390 75-90 75 90Z" fill="#22171e"/>
  <path d="M0 1190q175-70 350 0t350 0v210H0Z" fill="#1c2c3f"/>
</svg>`;

/** Wide. */
const HARBOUR = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1800 700">
  <defs><linearGradient id="h" x2="0" y2="1"><stop offset="0" stop-color="#9cc4cf"/><stop offset="1" stop-color="#f6dcb8"/></linearGradient></defs>
  <rect width="1800" height="700" fill="url(#h)"/><circle cx="1380" cy="250" r="90" fill="#fff1c9"/>
  <path d="M0 430q300-160 620-40t560-60 620 60v310H0Z" fill="#6c8f98"/>
  <path d="M0 500q240-90 520-20t640-30 640 30v220H0Z" fill="#35606c"/>
  <path d="M0 560h1800v140H0Z" fill="#1f4552"/>
  <g stroke="#d9eef0" stroke-width="5" opacity=".6"><path d="M120 610h160M480 650h220M900 600h140M1240 640h260M1560 600h120"/></g>
  <path d="m720 560 40 60h220l50-60Z" fill="#7a2a5a"/><path d="M860 300v260h-130Z" fill="#fbf7f2"/><path d="M876 340v220h110Z" fill="#f3dfc1"/>
  <path d="M180 560v-140l60-50 60 50v140ZM330 560V440l50-40 50 40v120Z" fill="#b3382c"/>
</svg>`;

export const drawings = { letter: LETTER, lighthouse: LIGHTHOUSE, harbour: HARBOUR };
export type DrawingName = keyof typeof drawings;

export function drawAvatar(): Promise<Buffer> {
  return sharp(Buffer.from(AVATAR)).png().toBuffer();
}

export function draw(which: DrawingName): Promise<Buffer> {
  const width = which === 'harbour' ? 1_600 : which === 'letter' ? 1_160 : 700;
  return sharp(Buffer.from(drawings[which])).resize({ width }).jpeg({ quality: 88 }).toBuffer();
}
