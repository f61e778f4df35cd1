import sharp from 'sharp';
import type { PickedFile } from '../product/pictures.ts';

const letter = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1160 740">
  <defs><radialGradient id="g" cx=".3" cy=".1" r="1"><stop offset="0" stop-color="#c79a5a"/>
  <stop offset=".5" stop-color="#5d4030"/><stop offset="1" stop-color="#1d0f18"/></radialGradient></defs>
  <rect width="1160" height="740" fill="url(#g)"/>
  <path d="M160 150 930 50l90 720H230Z" fill="#f3dfc1"/>
  <g fill="none" stroke="#8a7466" stroke-width="7" stroke-linecap="round">
  <path d="M250 230q60-30 110 0t110 0 120-15M255 300q60-30 110 0t130 0 250-30M260 370q60-30 110 0t240 0"/>
  <path d="M280 520q80-30 160 0t200 0 200-20M290 590q60-20 120 0t180-10"/></g>
  <path d="m255 450 400-40" stroke="#b3382c" stroke-width="9"/>
  <path d="m1040 340 40 20-190 420-44-18Z" fill="#7a2a5a"/>
</svg>`;

const lighthouse = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 1200">
  <defs><linearGradient id="s" x2="0" y2="1"><stop offset="0" stop-color="#16233f"/>
  <stop offset=".6" stop-color="#5b4a78"/><stop offset="1" stop-color="#e09a62"/></linearGradient></defs>
  <rect width="900" height="1200" fill="url(#s)"/>
  <path d="M470 330 900 180v300Z" fill="#ffe2a0" opacity=".5"/>
  <path d="m390 400-70 620h260l-70-620Z" fill="#f5efe6"/>
  <path d="m372 560-16 130h188l-16-130ZM340 830l-14 120h248l-14-120Z" fill="#b3382c"/>
  <rect x="395" y="300" width="110" height="100" fill="#ffd27a"/><path d="m380 300 70-80 70 80Z" fill="#22171e"/>
  <path d="M0 1010q225-70 450 0t450 0v190H0Z" fill="#1c2c3f"/>
</svg>`;

const drawings = { letter, lighthouse };

/** A picture that somebody might send. */
export async function drawing(
  which: keyof typeof drawings,
  name: string,
  width = 1_600,
): Promise<PickedFile> {
  const buffer = await sharp(Buffer.from(drawings[which]), { density: 150 })
    .resize({ width })
    .jpeg({ quality: 92 })
    .toBuffer();
  return { name, mimeType: 'image/jpeg', buffer };
}
