import { isUnnamed } from '@settee/protocol/model/visitor';
import { fillText } from '@settee/protocol/texts/fillText';

/**
 * A saved reply for this visitor. Who gave no name is not called 'there', which fits neither every language nor every
 * sentence: the place and what leads to it fall away, as in 'Thank you, {name}!'.
 */
export function fillReply(text: string, visitorName: string): string {
  if (!isUnnamed(visitorName)) return fillText(text, { name: visitorName.trim() });
  return text.replace(/(^|\n)\{name\}[,:]?[^\S\n]*/g, '$1').replace(/,?[^\S\n]*\{name\}/g, '');
}
