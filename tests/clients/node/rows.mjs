// What frontmatter says, row by row, as the host of skills.mjs and the server read it. One skill each, of this SKILL.md.

/** A SKILL.md with a name, a description and one more line or several, from line 4 on. */
const lines = text => name => `---\nname: ${name}\ndescription: D.\n${text}\n---\n\n# ${name}\n`;
const whole = text => name => text.replaceAll('NAME', name);
const values = (...all) => all.map(value => lines(`v: ${value}`));

/** Read alike by both: listed without a word, accepted by the host. */
export const portable = [
    ...values('yes', 'no', 'on', 'off', 'y', 'true', 'True', 'TRUE', 'false', 'False', 'FALSE', 'tRue'),
    ...values('null', '~', '', 'Null', '1', '+5', '-0', '0x1F', '-0o7', '0xZZ', '0o8'),
    ...values('1.5', '1.', '.5', '1e3', '1E+3', '12e03', '0.', '2026-01-01', '2026-01-01T00:00:00Z'),
    ...values("'1'", '"é"', "''", "'a''b'", '=', '|\n  a\n  b', '>\n  a\n  b', '|-\n  a\n  b', '|\n  a\n  b\nw: c'),
    ...values('[a, {b: c}, [], {}]', '&a [1]\nw: *a', '"\\x41\\u00e9\\/\\ud83d\\ude00"', 'http://x/y', 'a # b'),
    whole('---\nname: NAME\ndescription: >\n  One\n  two\n---\n'),
    whole('---\nname: NAME\ndescription: |\n  One\n  two\n---'),
    whole('---\r\nname: NAME\r\ndescription: Of Windows.\r\n---\r\n\r\n# X\r\n'),
    whole('\uFEFF---\nname: NAME\ndescription: Behind a mark.\n--- \t\n'),
    whole('---\nname: NAME\ndescription: "[\u{1F600}\\u0000\\t]"\n---\nA \u0000 and \u2028.\n'),
];

/** Read differently: warned of, since the host passes them over. */
export const different = [
    ...values('017', '08', '0o17', '0b101', '1_000', '1:30', '+0x1F', '2026-01-01 10:00:00', '2026-01-01T10:00:00'),
    ...values('-.5', '"a \n  b"', '{k\n  : a}'),
    lines('v:\n  - 017'),
    lines('v: {1:30: a}'),
    lines('v:\n  &a k: w'),
];

/** Read alike and warned of all the same: not every reader there is takes them. */
export const doubtful = [
    ...values('9007199254740993', '!!str 5', "!!int '5'", '{1: a}', '{true: a}', '{2.5: a}'),
];

/** No host reads them as one: the server must not start. */
export const refused = [
    ...values('.inf', '-.INF', '.nan', '1e400', '!!bool yes', '!!binary aGk=', '!!set {a}', '!!timestamp 2026-01-01'),
    ...values('!foo bar', '@x', '`x', 'a: b: c', '&a [*a]', '"a'),
    ...['<<: {a: 1}', 'v: 1\nv: 2', 'name: again', 'null: a', '? [a]\n: b', '? {a: b}\n: c'].map(lines),
    whole('\n---\nname: NAME\ndescription: D.\n---\n'),
    whole('--- \nname: NAME\ndescription: D.\n---\n'),
    whole('---\nname: NAME\ndescription: D.\n'),
    whole('---\n---\n'),
    whole('---\n- name: NAME\n---\n'),
    whole('# NAME\n'),
    whole('---\nname: 1\ndescription: D.\n---\n'),
    whole('---\nname: other\ndescription: D.\n---\n'),
    whole('---\nname: NAME\ndescription: " "\n---\n'),
];
