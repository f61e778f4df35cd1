import { MEDIA_PREVIEW } from '@settee/protocol/model/message';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';

/** The last message in a list. */
export function previewText(lastMessage: string): string {
  return lastMessage === MEDIA_PREVIEW ? consoleTexts.mediaPreview : lastMessage;
}
