// Sends a push as to Apple's service, and asks the gateway whether it arrived.
import { sign } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import http2 from "node:http2";

const folder = "/gateway/credentials";
const device = "b2".repeat(32);
const facts = JSON.parse(readFileSync(`${folder}/credentials.json`));

const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
const claims = { iss: facts["team-id"], iat: Math.floor(Date.now() / 1000) };
const text = `${part({ alg: "ES256", kid: facts["key-id"] })}.${part(claims)}`;
const key = readFileSync(`${folder}/${facts.key}`);
const signature = sign("sha256", text, { key, dsaEncoding: "ieee-p1363" }).toString("base64url");

const session = http2.connect("https://api.push.apple.com", { ca: readFileSync(`${folder}/ca.pem`) });
const stream = session.request({
    ":method": "POST",
    ":path": `/3/device/${device}`,
    authorization: `bearer ${text}.${signature}`,
    "apns-topic": facts.topic,
    "apns-push-type": "alert",
});
stream.end(JSON.stringify({ aps: { alert: "Hello from Node" } }));
const [headers] = await once(stream, "response");
let body = "";
for await (const chunk of stream) body += chunk;
session.close();
console.log("Node:", headers[":status"], body);

const answer = await fetch("http://gateway:8444/api/verify", {
    method: "POST",
    headers: { authorization: `Bearer ${process.env.APNS_GATEWAY_CONTROL_TOKEN}` },
    body: JSON.stringify({ match: { token: device, payload: { aps: { alert: "Hello from Node" } } }, within: "5s" }),
});
if (!(await answer.json()).satisfied) throw new Error("Node: it did not arrive");
console.log("Node: it arrived");
