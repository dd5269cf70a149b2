// Every text that is seen, with the contrast of its colour to what is behind it (WCAG 2.2, 1.4.3); faint is below 4.5.
() => {
  const parse = (text) => {
    const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
    return { r, g, b, a };
  };
  const luminance = ({ r, g, b }) => {
    const [x, y, z] = [r, g, b].map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (element) => {
    const spot = element.closest("g.spot");
    if (spot) return parse(getComputedStyle(spot.querySelector(":not(text)")).fill);
    for (let at = element; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour.a === 1) return colour;
    }
    return parse("rgb(255, 255, 255)");
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const faint = [];
  let looked = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || ["title", "desc", "style"].includes(element.tagName.toLowerCase())) continue;
    if (!element.getClientRects().length) continue;
    const style = getComputedStyle(element);
    const front = luminance(parse(element.closest("svg") ? style.fill : style.color));
    const back = luminance(behind(element));
    const ratio = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
    looked += 1;
    if (ratio < 4.5) faint.push({ text: node.data.trim(), ratio });
  }
  return { looked, faint };
}
