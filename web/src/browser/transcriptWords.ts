import type { TranscriptWords } from '@settee/protocol/render/transcriptTypes';
import type { Language } from '@settee/protocol/texts/languages';
import { transcriptTexts as texts } from '@settee/protocol/texts/transcriptTexts';

/** A download is in the language of the page. */
export function transcriptWords(): TranscriptWords {
  return { language: document.documentElement.lang as Language, texts };
}
