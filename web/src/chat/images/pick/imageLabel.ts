import { fillText } from '@settee/protocol/texts/fillText';
import { imageTexts } from '@settee/protocol/texts/imageTexts';

/** What cameras, phones and programs call a file when nobody has named it. */
const BY_MACHINE =
  /^(?:img|image|dsc|dscn|pxl|mvimg|photo|picture|pasted|unnamed|untitled|download|file|wa)(?!\p{L})/iu;

/** What a picture is called where it cannot be seen: whose it is, and its file's name if a person chose that. */
export function imageLabel(fileName: string, mine: boolean, name: string): string {
  const whose = mine ? imageTexts.yourImage : fillText(imageTexts.imageFrom, { name });
  return saysSomething(fileName) ? `${whose}: ${fileName}` : whose;
}

function saysSomething(fileName: string): boolean {
  const bare = fileName.replace(/\.\w+$/, '').replaceAll('_', ' ');
  if (BY_MACHINE.test(bare) || /^[\da-f -]+$/i.test(bare)) return false;
  return /\p{L}{3}/u.test(bare);
}
