import * as v from 'valibot';
import { staffLanguages, visitorLanguages } from '../texts/languages.ts';

export const Language = v.picklist(visitorLanguages);
export const StaffLanguage = v.picklist(staffLanguages);
