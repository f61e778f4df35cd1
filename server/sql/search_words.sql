-- The words of a text in their order, a space between each two. Punctuation parts them, also that of Hebrew, Arabic and
-- Hindi, so no word holds a sign that means something in a tsquery. Kana, ideographs and emoji stand alone: people write
-- them without spaces. No word is longer than a query: a tsvector refuses very long ones.
create or replace function search_words(p_text text) returns text language plpgsql immutable parallel safe as $$
declare
  v_words text := search_fold(p_text);
begin
  if octet_length(v_words) = length(v_words) then
    v_words := btrim(regexp_replace(v_words, '[^a-z0-9]+', ' ', 'g'));
  else
    v_words := regexp_replace(v_words,
      '[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u00d7\u00f7\u05be\u05c0\u05c3\u060c\u061b\u061f\u066a-\u066d\u06d4\u0964\u0965\u2000-\u206f\u2e00-\u2e7f\u3000-\u303f]+', ' ', 'g');
    v_words := regexp_replace(v_words,
      '([\u2190-\u2bff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U0001f000-\U0001faff\U00020000-\U0003ffff])', ' \1 ', 'g');
    v_words := btrim(regexp_replace(v_words, ' +', ' ', 'g'));
  end if;
  if length(v_words) > 200 then
    v_words := regexp_replace(v_words, '([^ ]{200})[^ ]+', '\1', 'g');
  end if;
  return v_words;
end $$;
