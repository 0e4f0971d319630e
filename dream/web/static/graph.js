// Draws what /graph.json answers, with cytoscape; a node leads to its page. Without it the list says the same.
"use strict";

const COLOURS = {
  person: "#d1495b", project: "#00798c", preference: "#8e5ea2", concept: "#6b705c", decision: "#edae49", fact: "#30638e",
  event: "#c06e52", object: "#7f5539", code: "#2a9d8f", process: "#577590", error: "#bc4749",
};

async function draw() {
  const place = document.getElementById("graph");
  const told = document.getElementById("told");
  const answer = await fetch(`/graph.json${location.search}`, { credentials: "same-origin" });
  if (!answer.ok) {
    told.textContent = `${answer.status}`;
    return;
  }
  const { nodes, edges, fits, near } = await answer.json();
  told.textContent = nodes.length
    ? told.dataset.shown.replace("{n}", nodes.length).replace("{m}", fits)
    : told.dataset.none;
  list(nodes);
  key(nodes);
  if (!nodes.length) {
    return;
  }
  const ink = getComputedStyle(document.documentElement).getPropertyValue("--ink").trim();
  const soft = getComputedStyle(document.documentElement).getPropertyValue("--soft").trim();
  const size = place.clientWidth < 500 ? 2 : 1;  // a finger is wider than a pointer
  const graph = cytoscape({
    container: place,
    elements: [
      ...nodes.map((node) => ({
        data: { ...node, short: node.text.length > 34 ? `${node.text.slice(0, 33)}…` : node.text },
      })),
      ...edges.map((edge, number) => ({ data: { ...edge, id: `edge-${number}` } })),
    ],
    style: [
      { selector: "node", style: {
        "background-color": (each) => COLOURS[each.data("kind")] || "#888",
        "background-opacity": (each) => (each.data("status") === "current" ? 1 : 0.35),
        width: (each) => size * (14 + 5 * Math.sqrt(each.data("degree"))),
        height: (each) => size * (14 + 5 * Math.sqrt(each.data("degree"))),
        label: nodes.length <= 60 ? "data(short)" : "", color: ink, "font-size": 13, "text-wrap": "wrap",
        "text-max-width": 130, "text-valign": "bottom", "text-margin-y": 3, "min-zoomed-font-size": 7,
      } },
      { selector: "node.near", style: { "border-width": 4, "border-color": ink } },
      { selector: "node.over", style: { label: "data(text)", "z-index": 9, "font-size": 12, "text-max-width": 220 } },
      { selector: "edge", style: {
        width: 1.4, "line-color": soft, "curve-style": "haystack", "line-style": (each) => (each.data("live") ? "solid" : "dashed"),
        opacity: 0.6,
      } },
      { selector: "edge.over", style: { label: "data(relation)", color: ink, "font-size": 10, opacity: 1, width: 2.4 } },
    ],
    layout: edges.length
      ? { name: "cose", animate: false, randomize: true, numIter: nodes.length > 200 ? 250 : 800, nodeRepulsion: 9000, idealEdgeLength: 60, padding: 20,
          nodeDimensionsIncludeLabels: nodes.length <= 60, componentSpacing: nodes.length <= 60 ? 70 : 40 }
      : { name: "grid", avoidOverlapPadding: 20, nodeDimensionsIncludeLabels: nodes.length <= 60, padding: 30 },
    hideEdgesOnViewport: nodes.length > 200,
    textureOnViewport: nodes.length > 200,
    pixelRatio: "auto",
  });
  if (near) {
    graph.getElementById(near).addClass("near");
  }
  graph.on("mouseover", "node", (event) => event.target.addClass("over").connectedEdges().addClass("over"));
  graph.on("mouseout", "node", (event) => event.target.removeClass("over").connectedEdges().removeClass("over"));
  graph.on("tap", "node", (event) => { location.href = `/node/${event.target.id()}`; });
  place.dataset.drawn = String(graph.nodes().length);
}

function key(nodes) {
  const place = document.getElementById("key");
  for (const kind of Object.keys(COLOURS).filter((each) => nodes.some((node) => node.kind === each))) {
    const line = document.createElement("li");
    const dot = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    dot.setAttribute("viewBox", "0 0 10 10");
    const circle = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    for (const [name, value] of [["cx", 5], ["cy", 5], ["r", 5], ["fill", COLOURS[kind]]]) {
      circle.setAttribute(name, value);
    }
    dot.append(circle);
    line.append(dot, ` ${place.dataset[kind] || kind}`);
    place.append(line);
  }
}

function list(nodes) {
  const place = document.getElementById("list");
  for (const node of nodes) {
    const line = document.createElement("li");
    const link = document.createElement("a");
    link.href = `/node/${node.id}`;
    link.textContent = node.text;
    line.append(link);
    place.append(line);
  }
}

draw();
