// swift-format-ignore-file
// Made of Page/Files by tools/generate; change those.

extension PageFile {
    static let index = PageFile(
        name: "index.html",
        text: ####"""
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>APNs gateway</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/page/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/page/page.css">
<link rel="stylesheet" href="/page/views.css">
<script type="module" src="/page/main.js"></script>
</head>
<body>
<svg class="sprite" aria-hidden="true">
  <symbol id="icon-check" viewBox="0 0 16 16"><path d="M3 8.5l3.2 3.2L13 5"/></symbol>
  <symbol id="icon-cross" viewBox="0 0 16 16"><path d="M4 4l8 8M12 4l-8 8"/></symbol>
  <symbol id="icon-warning" viewBox="0 0 16 16"><path d="M8 2.2L14.2 13H1.8zM8 6.5v3M8 11v.4"/></symbol>
  <symbol id="icon-info" viewBox="0 0 16 16"><path d="M8 1.8a6.2 6.2 0 100 12.4A6.2 6.2 0 008 1.8zM8 7.2v4M8 4.7v.4"/></symbol>
  <symbol id="icon-bell" viewBox="0 0 16 16"><path d="M4 11V7a4 4 0 018 0v4l1.2 1.2H2.8zM6.8 14.2h2.4"/></symbol>
  <symbol id="icon-phone" viewBox="0 0 16 16"><path d="M5 1.8h6a1 1 0 011 1v10.4a1 1 0 01-1 1H5a1 1 0 01-1-1V2.8a1 1 0 011-1zM7 12h2"/></symbol>
  <symbol id="icon-send" viewBox="0 0 16 16"><path d="M14 2L7 9M14 2L9.5 14 7 9 2 6.5z"/></symbol>
  <symbol id="icon-fault" viewBox="0 0 16 16"><path d="M9 1.8L3.5 9H8l-1 5.2L12.500 7H8z"/></symbol>
  <symbol id="icon-clock" viewBox="0 0 16 16"><path d="M8 1.8a6.2 6.2 0 100 12.4A6.2 6.2 0 008 1.8zM8 4.500V8l2.5 1.5"/></symbol>
  <symbol id="icon-channel" viewBox="0 0 16 16"><path d="M8 8v.1M5.200 5.200a4 4 0 000 5.600M10.800 5.200a4 4 0 010 5.600M3 3a7 7 0 000 10M13 3a7 7 0 010 10"/></symbol>
  <symbol id="icon-sound" viewBox="0 0 16 16"><path d="M2.500 6v4H5l3.500 3V3L5 6zM11 5.500a4 4 0 010 5M13 3.500a7 7 0 010 9"/></symbol>
  <symbol id="icon-pause" viewBox="0 0 16 16"><path d="M5.500 3.500v9M10.500 3.500v9"/></symbol>
  <symbol id="icon-signal" viewBox="0 0 16 16"><path d="M3 12.500v-2M6.300 12.500v-4M9.600 12.500v-6M13 12.500v-8.500"/></symbol>
  <symbol id="icon-offline" viewBox="0 0 16 16"><path d="M3 12.500v-2M6.300 12.500v-4M13 12.500v-3M2 2l12 12"/></symbol>
  <symbol id="icon-battery" viewBox="0 0 16 16"><path d="M1.800 5h10.400v6H1.800zM14.200 7v2M3.800 7v2M6.200 7v2M8.600 7v2"/></symbol>
  <symbol id="icon-battery-low" viewBox="0 0 16 16"><path d="M1.800 5h10.400v6H1.800zM14.200 7v2M3.800 7v2"/></symbol>
</svg>

<a class="skip" href="#main">Skip to the content</a>

<header class="bar">
  <div class="brand">
    <svg class="icon logo" aria-hidden="true"><use href="#icon-bell"/></svg>
    <h1>APNs gateway</h1>
    <label class="visually-hidden" for="world">World</label>
    <select id="world" hidden></select>
  </div>
  <nav aria-label="Views">
    <ul>
      <li><a id="nav-notifications" href="#/notifications"><svg class="icon" aria-hidden="true"><use href="#icon-bell"/></svg>Notifications</a></li>
      <li><a id="nav-devices" href="#/devices"><svg class="icon" aria-hidden="true"><use href="#icon-phone"/></svg>Devices</a></li>
      <li><a id="nav-send" href="#/send"><svg class="icon" aria-hidden="true"><use href="#icon-send"/></svg>Send</a></li>
      <li><a id="nav-faults" href="#/faults"><svg class="icon" aria-hidden="true"><use href="#icon-fault"/></svg>Faults<span id="nav-faults-count" class="badge warning" hidden></span></a></li>
      <li><a id="nav-clock" href="#/clock"><svg class="icon" aria-hidden="true"><use href="#icon-clock"/></svg>Clock</a></li>
      <li><a id="nav-channels" href="#/channels"><svg class="icon" aria-hidden="true"><use href="#icon-channel"/></svg>Channels</a></li>
    </ul>
  </nav>
  <div class="state">
    <a id="clock-chip" class="chip" href="#/clock"><span class="visually-hidden">Clock of the gateway: </span><span id="clock-chip-time" class="digits">--:--:--</span> <span id="clock-chip-mode"></span></a>
    <button type="button" id="keys-open" aria-haspopup="dialog">Keys</button>
    <span id="connection" class="chip" data-state="connecting"><span class="dot" aria-hidden="true"></span><span class="visually-hidden">Connection: </span><span id="connection-text">Connecting</span></span>
  </div>
</header>

<main id="main" tabindex="-1">
<noscript><p class="empty">This page requires JavaScript, which is disabled. GET /api lists the control API.</p></noscript>

<section id="view-notifications" class="view" aria-labelledby="notifications-title">
  <h2 id="notifications-title" class="visually-hidden" tabindex="-1">Notifications</h2>
  <div class="overview">
    <dl class="counts">
      <div class="accepted"><dt>Accepted</dt><dd id="count-accepted">0</dd></div>
      <div class="refused"><dt>Refused</dt><dd id="count-refused">0</dd></div>
      <div class="unprocessed"><dt>Not processed</dt><dd id="count-unprocessed">0</dd></div>
      <div><dt>Per second</dt><dd id="count-rate">0</dd></div>
    </dl>
    <div class="chart-box">
      <div id="chart" class="chart"></div>
      <p class="chart-legend"><span class="wide">2 minutes</span><span id="count-reasons" class="wide"></span>
      <button type="button" class="link" popovertarget="chart-table">As a table</button></p>
      <div id="chart-table" class="panel" popover>
        <table>
          <caption>Notifications in steps of 10 seconds</caption>
          <thead><tr><th scope="col">From</th><th scope="col">Accepted</th><th scope="col">Refused</th><th scope="col">Not processed</th></tr></thead>
          <tbody id="chart-rows"></tbody>
        </table>
        <button type="button" popovertarget="chart-table" popovertargetaction="hide">Close</button>
      </div>
    </div>
  </div>
  <div id="split" class="split">
    <section class="list-pane" aria-label="Journal">
      <form id="filter" class="filter" role="search" aria-label="Filter of notifications">
        <div class="filter-line">
          <label class="visually-hidden" for="filter-q">Search</label>
          <input id="filter-q" name="q" type="search" placeholder="Search payloads, ids, reasons" autocomplete="off">
          <label class="visually-hidden" for="filter-outcome">Outcome</label>
          <select id="filter-outcome" name="outcome">
            <option value="">every outcome</option><option>accepted</option><option>refused</option><option>unprocessed</option>
          </select>
          <button type="button" popovertarget="filter-more">More<span id="filter-more-count"></span></button>
          <button type="button" id="filter-clear" hidden>Clear</button>
          <button type="button" id="pause" aria-pressed="false"><svg class="icon" aria-hidden="true"><use href="#icon-pause"/></svg><span id="pause-text" class="wide">Pause</span></button>
        </div>
        <div id="filter-more" class="panel fields" popover>
          <label class="field">Reason<input name="reason" autocomplete="off" placeholder="BadDeviceToken"></label>
          <label class="field">Topic<input name="topic" autocomplete="off" list="known-topics"></label>
          <label class="field">Device token<input name="token" autocomplete="off" spellcheck="false"></label>
          <label class="field">Push type<input name="push-type" autocomplete="off" list="push-types"></label>
          <label class="field">Collapse id<input name="collapse-id" autocomplete="off"></label>
          <label class="field">apns-id<input name="apns-id" autocomplete="off" spellcheck="false"></label>
          <label class="field">Channel id<input name="channel-id" autocomplete="off" spellcheck="false"></label>
          <label class="field">Request<select name="request"><option value="">every request</option><option>notification</option><option>broadcast</option><option>create-channel</option><option>read-channel</option><option>list-channels</option><option>delete-channel</option></select></label>
          <label class="field">Since<input name="since" autocomplete="off" placeholder="2026-11-21T07:00:00Z"></label>
        </div>
        <p id="filter-problem" class="problem" role="alert"></p>
      </form>
      <div class="list-head" aria-hidden="true">
        <span class="cell time">Time, UTC</span><span class="cell mark"></span><span class="cell status">Outcome</span><span class="cell type">Push type</span><span class="cell topic">Topic</span><span class="cell to">Device</span><span class="cell text">Notification</span><span class="cell stage">Now</span>
      </div>
      <div class="list-box">
        <button type="button" id="list-new" class="primary" hidden></button>
        <div id="list" class="list" role="listbox" tabindex="0" aria-label="Notifications, newest first"></div>
        <div id="list-empty" class="empty">
          <svg class="icon" aria-hidden="true"><use href="#icon-bell"/></svg>
          <p id="list-empty-text">Nothing has been sent yet.</p>
          <div id="list-empty-help" class="example">
            <p>Paste a command in a terminal:</p>
            <div id="list-commands" class="example"></div>
            <a class="button primary" href="#/send">Send a notification</a>
          </div>
        </div>
      </div>
      <div class="list-foot"><span id="list-state"></span><span><button type="button" id="export" class="link" hidden>Export</button> <button type="button" id="journal-empty" class="link">Empty<span class="wide"> the journal</span></button> <button type="button" id="reset" class="link">Reset<span class="wide"> the gateway</span></button></span></div>
    </section>
    <section id="detail" class="detail-pane" aria-label="The selected notification">
      <p id="detail-empty" class="empty">Select a notification to see its verdict, payload and life.</p>
      <div id="detail-body" hidden>
        <div class="detail-head">
          <h3 id="detail-title" tabindex="-1"></h3>
          <div class="buttons">
            <button type="button" id="detail-again">Send again</button>
            <button type="button" id="detail-copy">Copy</button>
            <button type="button" id="detail-curl">Copy as curl</button>
            <button type="button" id="detail-send">Copy as apns send</button>
            <button type="button" id="detail-close">Close</button>
          </div>
        </div>
        <div id="detail-content"></div>
      </div>
    </section>
  </div>
</section>

<section id="view-devices" class="view page" aria-labelledby="devices-title" hidden>
  <div class="page-head">
    <h2 id="devices-title" tabindex="-1">Devices</h2>
    <span id="devices-state" class="quiet"></span>
    <details class="register">
      <summary>Register a device</summary>
      <form id="register" class="fields panel" aria-label="Register a device">
        <label class="field">Topic<input name="topic" required autocomplete="off" list="known-topics" placeholder="com.example.agent"></label>
        <label class="field">Device token (empty: a new one)<input id="register-token" name="token" autocomplete="off" spellcheck="false"></label>
        <label class="field">Kind<select name="kind"><option value="">by its topic</option><option>app</option><option>voip</option><option>complication</option><option>fileprovider</option><option>location</option><option>pushtotalk</option><option>liveactivity</option><option>start-liveactivity</option><option>widgets</option><option>controls</option></select></label>
        <div class="buttons"><button class="primary">Register</button></div>
        <p id="register-problem" class="problem" role="alert"></p>
      </form>
    </details>
  </div>
  <div id="devices" class="devices"></div>
  <div id="devices-empty" class="empty" hidden>
    <p>No device is registered. Send to a device token, use the form above, or paste a command in a terminal:</p>
    <div id="devices-commands" class="example"></div>
  </div>
  <p class="buttons center"><button type="button" id="devices-more" hidden>Show more</button></p>
</section>

<section id="view-send" class="view page" aria-labelledby="send-title" hidden>
  <div class="page-head">
    <h2 id="send-title" tabindex="-1">Send a notification</h2>
    <span class="quiet">The gateway judges it like a provider's request, without a provider token, and marks it in the journal.</span>
  </div>
  <form id="compose" class="compose" aria-labelledby="send-title">
    <div class="compose-side">
      <label class="field">Sample<select id="compose-sample">
        <option value="alert">Alert</option><option value="silent">Silent push with a hint</option><option value="badge">Badge</option><option value="critical">Critical alert</option><option value="voip">VoIP call</option><option value="liveactivity">Live Activity update</option><option value="">Your own</option>
      </select></label>
      <label class="field">Device token<input name="token" autocomplete="off" spellcheck="false" list="known-devices"></label>
      <label class="field">apns-topic<input name="apns-topic" autocomplete="off" list="known-topics"></label>
      <label class="field">apns-push-type<input name="apns-push-type" autocomplete="off" list="push-types"></label>
      <div class="pair">
        <label class="field">apns-priority<input name="apns-priority" autocomplete="off" list="priorities" inputmode="numeric"></label>
        <label class="field">apns-expiration<input name="apns-expiration" autocomplete="off" placeholder="Unix seconds" inputmode="numeric"></label>
      </div>
      <label class="field">apns-collapse-id<input name="apns-collapse-id" autocomplete="off"></label>
      <details>
        <summary>Other headers</summary>
        <label class="field">apns-id<input name="apns-id" autocomplete="off" spellcheck="false" placeholder="made by the gateway"></label>
        <label class="field">apns-channel-id, for a broadcast<input name="apns-channel-id" autocomplete="off" spellcheck="false"></label>
      </details>
      <div class="buttons"><button class="primary">Send</button></div>
      <p id="compose-problem" class="problem" role="alert"></p>
      <div id="compose-result" role="status"></div>
    </div>
    <div class="compose-main">
      <div class="editor-head"><label for="payload">Payload</label><span id="payload-size" class="quiet"></span><button type="button" id="payload-format" class="link">Format</button></div>
      <div class="editor">
        <div id="payload-gutter" class="gutter" aria-hidden="true"></div>
        <textarea id="payload" spellcheck="false" autocapitalize="off" autocomplete="off" wrap="off" aria-describedby="findings-state"></textarea>
      </div>
      <section aria-labelledby="findings-title">
        <h3 id="findings-title">Findings <span id="findings-state" class="quiet" role="status"></span></h3>
        <ul id="findings" class="findings"></ul>
      </section>
    </div>
  </form>
</section>

<section id="view-faults" class="view page" aria-labelledby="faults-title" hidden>
  <div class="page-head">
    <h2 id="faults-title" tabindex="-1">Faults</h2>
    <span class="quiet">Failures on purpose. The first rule that matches a request applies.</span>
  </div>
  <div class="columns">
    <section aria-labelledby="faults-active">
      <div class="part-head"><h3 id="faults-active">Active rules</h3><button type="button" id="faults-clear" hidden>Remove all</button></div>
      <div id="faults-empty" class="empty"><p>No fault rule is active. Use the form, or paste a command in a terminal:</p><div id="faults-commands" class="example"></div></div>
      <ul id="faults" class="faults"></ul>
    </section>
    <section aria-labelledby="faults-add">
      <div class="part-head"><h3 id="faults-add">Add a rule</h3></div>
      <form id="fault-form" class="fields panel" aria-labelledby="faults-add">
        <label class="field">Template<select id="fault-template"></select></label>
        <fieldset>
          <legend>What happens</legend>
          <label class="field">Effect<select id="fault-effect"></select></label>
          <div id="fault-fields" class="effect-fields"></div>
        </fieldset>
        <fieldset>
          <legend>Which requests</legend>
          <label class="field">Device token<input name="token" autocomplete="off" spellcheck="false" list="known-devices" placeholder="every one"></label>
          <div class="pair">
            <label class="field">Topic<input name="topic" autocomplete="off" list="known-topics" placeholder="every one"></label>
            <label class="field">Push type<input name="push-type" autocomplete="off" list="push-types" placeholder="every one"></label>
          </div>
        </fieldset>
        <div class="triple">
          <label class="field">Share, %<input name="probability" type="number" min="0" max="100" step="any" value="100"></label>
          <label class="field">Times<input name="count" type="number" min="1" placeholder="no limit"></label>
          <label class="field">Until, UTC<input name="until" type="datetime-local" step="1"></label>
        </div>
        <div class="buttons"><button class="primary">Add the rule</button></div>
        <details>
          <summary>As a command</summary>
          <div id="fault-command"></div>
        </details>
        <p id="fault-problem" class="problem" role="alert"></p>
      </form>
    </section>
  </div>
</section>

<section id="view-clock" class="view page" aria-labelledby="clock-title" hidden>
  <div class="page-head">
    <h2 id="clock-title" tabindex="-1">Clock</h2>
    <span class="quiet">Expirations, budgets and provider tokens use this clock.</span>
  </div>
  <div class="columns">
    <section class="panel clock-face" aria-label="Time of the gateway">
      <p id="clock-time" class="digits">--:--:--</p>
      <p id="clock-day"></p>
      <p id="clock-mode" class="quiet"></p>
    </section>
    <section aria-label="Setting the clock">
      <div class="part-head"><h3>Advance</h3></div>
      <div class="panel fields">
        <div class="buttons">
          <button type="button" data-advance="1m">1 minute</button><button type="button" data-advance="5m">5 minutes</button><button type="button" data-advance="20m">20 minutes</button><button type="button" data-advance="55m">55 minutes</button><button type="button" data-advance="1h">1 hour</button><button type="button" data-advance="1d">1 day</button><button type="button" data-advance="30d">30 days</button>
        </div>
        <form id="advance-form" class="inline" aria-label="Advance the clock"><label class="field">By<input id="advance-by" required autocomplete="off" placeholder="90s, 55m, 2h, 30d"></label><button>Advance</button></form>
      </div>
      <div class="part-head"><h3>Set</h3></div>
      <form id="clock-form" class="panel fields" aria-label="Set the clock">
        <fieldset class="choices"><legend>Mode</legend>
          <label><input type="radio" name="mode" value="real"> real: follows the machine's clock</label>
          <label><input type="radio" name="mode" value="manual"> manual: stopped until it is changed</label>
        </fieldset>
        <label class="field">Time in UTC (empty: unchanged)<input id="clock-now" name="now" type="datetime-local" step="1"></label>
        <div class="buttons"><button class="primary">Set the clock</button></div>
      </form>
      <p id="clock-problem" class="problem" role="alert"></p>
    </section>
  </div>
  <section aria-labelledby="budgets-title">
    <div class="part-head"><h3 id="budgets-title">Budgets</h3><span class="quiet">How many pushes of a kind a device receives in a period: 3/1h, or unlimited.</span></div>
    <form id="budgets-form" class="panel fields" aria-labelledby="budgets-title">
      <div id="budgets" class="budgets"></div>
      <div class="buttons"><button class="primary">Set the budgets</button></div>
    </form>
    <p id="budgets-problem" class="problem" role="alert"></p>
    <datalist id="budget-values"><option>unlimited</option></datalist>
    <datalist id="budget-choices"><option>default</option><option>unlimited</option></datalist>
  </section>
</section>

<section id="view-channels" class="view page" aria-labelledby="channels-title" hidden>
  <div class="page-head">
    <h2 id="channels-title" tabindex="-1">Channels, apps and keys</h2>
    <span class="quiet">What is registered in this world.</span>
  </div>
  <section aria-labelledby="channels-own">
    <div class="part-head"><h3 id="channels-own">Broadcast channels</h3></div>
    <div id="channels-empty" class="empty"><p>No channel exists. Providers create channels through the gateway's channel port.</p><div id="channels-commands" class="example"></div></div>
    <div id="channels-box" class="table-box panel" hidden tabindex="0" role="region" aria-labelledby="channels-own">
      <table><thead><tr><th scope="col">Channel</th><th scope="col">App</th><th scope="col">Stores</th><th scope="col">Devices</th><th scope="col">Stored now</th></tr></thead><tbody id="channels"></tbody></table>
    </div>
  </section>
  <section aria-labelledby="apps-title">
    <div class="part-head"><h3 id="apps-title">Apps</h3></div>
    <div class="table-box panel" tabindex="0" role="region" aria-labelledby="apps-title">
      <table><thead><tr><th scope="col">Bundle id</th><th scope="col">Team</th><th scope="col">Capabilities</th></tr></thead><tbody id="apps"></tbody></table>
    </div>
  </section>
  <section aria-labelledby="keys-title">
    <div class="part-head"><h3 id="keys-title">Keys</h3></div>
    <div class="table-box panel" tabindex="0" role="region" aria-labelledby="keys-title">
      <table><thead><tr><th scope="col">Key id</th><th scope="col">Team</th><th scope="col">Kind</th><th scope="col">Environments</th><th scope="col">State</th></tr></thead><tbody id="keys"></tbody></table>
    </div>
  </section>
</section>
</main>

<datalist id="known-topics"></datalist>
<datalist id="known-devices"></datalist>
<datalist id="push-types"><option value="alert"></option><option value="background"></option><option value="voip"></option><option value="complication"></option><option value="fileprovider"></option><option value="location"></option><option value="pushtotalk"></option><option value="liveactivity"></option><option value="widgets"></option><option value="controls"></option><option value="mdm"></option></datalist>
<datalist id="reasons"><option value="BadDeviceToken"></option><option value="DeviceTokenNotForTopic"></option><option value="ExpiredProviderToken"></option><option value="InternalServerError"></option><option value="InvalidProviderToken"></option><option value="PayloadTooLarge"></option><option value="ServiceUnavailable"></option><option value="Shutdown"></option><option value="TooManyProviderTokenUpdates"></option><option value="TooManyRequests"></option><option value="Unregistered"></option></datalist>
<datalist id="priorities"><option value="10"></option><option value="5"></option><option value="1"></option></datalist>

<dialog id="confirm-dialog" aria-labelledby="confirm-question">
  <p id="confirm-question"></p>
  <div class="buttons"><button type="button" value="no" autofocus>Cancel</button><button type="button" id="confirm-yes" class="danger" value="yes"></button></div>
</dialog>

<dialog id="keys-dialog" aria-labelledby="keys-title-all">
  <h2 id="keys-title-all">Keys</h2>
  <table class="keys">
    <thead><tr><th scope="col">Key</th><th scope="col">Does</th></tr></thead>
    <tbody>
      <tr><th scope="row"><kbd>/</kbd></th><td>goes to the search</td></tr>
      <tr><th scope="row"><kbd>?</kbd></th><td>shows this list</td></tr>
      <tr><th scope="row"><kbd>↓</kbd> <kbd>↑</kbd> <kbd>Page Down</kbd> <kbd>Page Up</kbd> <kbd>Home</kbd> <kbd>End</kbd></th><td>move in the list</td></tr>
      <tr><th scope="row"><kbd>Enter</kbd></th><td>goes to the notification</td></tr>
      <tr><th scope="row"><kbd>Escape</kbd></th><td>goes back to the list</td></tr>
    </tbody>
  </table>
  <div class="choices"><label><input type="checkbox" id="keys-on" checked> <kbd>/</kbd> and <kbd>?</kbd> work everywhere in this tab</label></div>
  <div class="buttons"><button type="button" id="keys-close" class="primary">Close</button></div>
</dialog>

<dialog id="token-dialog" aria-labelledby="token-title">
  <form id="token-form" class="fields" aria-labelledby="token-title">
    <h2 id="token-title">Control token required</h2>
    <p class="quiet">The gateway was started with a control token. This tab keeps the token until it is closed.</p>
    <label class="field">Control token<input id="token" type="password" required autocomplete="off" autofocus></label>
    <p id="token-problem" class="problem" role="alert"></p>
    <div class="buttons"><button class="primary">Continue</button></div>
  </form>
</dialog>

<div id="toasts" class="toasts"></div>
<div id="announcer" class="visually-hidden" role="status" aria-live="polite"></div>
</body>
</html>
"""####)

    /// Every file, the page itself first.
    static let all = [
        index,
        PageFile(
        name: "api.js",
        text: ####"""
// The page's client of the control API: addresses, requests and event streams.

const tokenKey = "apns-control-token";

/** The world that the page's address names; null for the default world. */
export const world = /^\/w\/([^/]+)\/?$/.exec(location.pathname)?.[1] ?? null;

/** The address of an API path, in the world of this page or for the gateway as a whole. */
const address = (path, isOfGateway) => `${world === null || isOfGateway ? "" : `/w/${world}`}/api${path}`;

/** The whole address of an API path of this page's world, for a command. */
export const apiAddress = (path) => location.origin + address(path);

export const hasToken = () => sessionStorage.getItem(tokenKey) !== null;

/** An error answer of the gateway. */
export class Problem extends Error {
  constructor(status, title, detail) {
    super(detail || title);
    this.status = status;
    this.title = title;
  }
}

/** Asks for the control token and waits for it; set by the module that shows the dialog. */
let askForToken = async () => {};
export function onTokenWanted(ask) {
  askForToken = ask;
}

export function keepToken(token) {
  sessionStorage.setItem(tokenKey, token);
}

function authorization() {
  const token = sessionStorage.getItem(tokenKey);
  return token === null ? {} : { Authorization: `Bearer ${token}` };
}

async function request(method, path, body, options) {
  for (;;) {
    let response;
    try {
      response = await fetch(address(path, options?.isOfGateway), {
        method,
        headers: { ...authorization(), ...options?.headers },
        body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
        signal: options?.signal,
        cache: "no-store",
      });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Problem(0, "No answer", "the gateway does not answer; is it still running?");
    }
    if (response.status === 401) {
      await askForToken(sessionStorage.getItem(tokenKey) !== null);
      continue;
    }
    if (response.ok) return response;
    throw await problem(response);
  }
}

async function problem(response) {
  const text = await response.text();
  try {
    const details = JSON.parse(text);
    return new Problem(response.status, details.title ?? "", details.detail ?? text);
  } catch {
    return new Problem(response.status, response.statusText, text);
  }
}

/** The text of an answer; a body that is not a string is sent as JSON. */
export async function callText(method, path, body, options) {
  return (await request(method, path, body, options)).text();
}

/** The JSON value of an answer; null if it has no body. */
export async function call(method, path, body, options) {
  const text = await callText(method, path, body, options);
  return text === "" ? null : JSON.parse(text);
}

/** How long a stream may be silent before it counts as broken; the gateway sends a heartbeat every 15 seconds. */
const patience = 40_000;

/**
 * Follows a stream of server-sent events until `signal` ends it, and reconnects after each break.
 *
 * `onState` gets `connecting`, `connected` and `broken`; `onEvent` gets a name, the data as text and the id. With
 * `awaits` a stream that does not exist yet counts as broken, because its world may be created later.
 */
export async function follow(path, { signal, onState, onEvent, resumes = false, awaits = false }) {
  let lastID = null;
  let wait = 500;
  while (!signal.aborted) {
    const attempt = new AbortController();
    const stop = () => attempt.abort();
    signal.addEventListener("abort", stop);
    // A page in the browser's back/forward cache would keep its connection, and connections to a server are limited.
    window.addEventListener("pagehide", stop);
    let alive = setTimeout(stop, patience);
    try {
      onState("connecting");
      const headers = resumes && lastID !== null ? { "Last-Event-ID": lastID } : {};
      const response = await request("GET", path, undefined, { signal: attempt.signal, headers });
      onState("connected");
      wait = 500;
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        clearTimeout(alive);
        alive = setTimeout(stop, patience);
        const blocks = (rest + value).split("\n\n");
        rest = blocks.pop();
        for (const block of blocks) {
          const event = parsed(block);
          if (event === null) continue;
          if (event.id !== null) lastID = event.id;
          onEvent(event.name, event.data);
        }
      }
    } catch (error) {
      const isRefused = error instanceof Problem && error.status >= 400 && error.status < 500;
      if (isRefused && !(awaits && error.status === 404)) {
        onState("refused", error.message);
        return;
      }
    } finally {
      clearTimeout(alive);
      signal.removeEventListener("abort", stop);
      window.removeEventListener("pagehide", stop);
      attempt.abort();
    }
    if (signal.aborted) return;
    onState("broken");
    await pause(wait, signal);
    wait = Math.min(wait * 2, 5000);
  }
}

function parsed(block) {
  if (block.startsWith(":")) return null;
  const event = { name: "message", id: null, data: "" };
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    const field = line.slice(0, colon);
    const value = line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") event.name = value;
    else if (field === "id") event.id = value;
    else if (field === "data") event.data += value;
  }
  return event.data === "" ? null : event;
}

function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
"""####),
        PageFile(
        name: "budgets.js",
        text: ####"""
// The form with the delivery budgets of the world.

import { call } from "./api.js";
import { byId, h, replace, setText, toast } from "./dom.js";

let names = [];

function take(budgets) {
  const form = byId("budgets-form");
  if (names.join() !== Object.keys(budgets).join()) {
    names = Object.keys(budgets);
    const input = (name) => h("input", { name, required: true, list: "budget-values", autocomplete: "off" });
    replace(byId("budgets"), ...names.map((name) => h("label", { class: "field" }, name, input(name))));
  }
  // A value that the user is editing is kept.
  if (form.contains(document.activeElement)) return;
  for (const name of names) form.elements[name].value = budgets[name];
}

export async function loadBudgets() {
  take((await call("GET", "/settings")).budgets);
}

/** The settings of the world were changed. */
export function settingsEvent(settings) {
  take(settings.budgets);
}

export function startBudgets() {
  byId("budgets-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    setText(byId("budgets-problem"), "");
    const budgets = Object.fromEntries([...new FormData(event.target)].map(([name, value]) => [name, value.trim()]));
    try {
      await call("PATCH", "/settings", { budgets });
      toast("The budgets are set");
    } catch (error) {
      setText(byId("budgets-problem"), error.message);
    }
  });
}
"""####),
        PageFile(
        name: "channels.js",
        text: ####"""
// The broadcast channels of the world with their stored messages, its apps and its keys.

import { call } from "./api.js";
import { showExample } from "./commands.js";
import { byId, h, replace, throttled } from "./dom.js";
import { summary } from "./journal.js";
import { count, dayAndTime, shown } from "./text.js";

const maximum = 200;

export async function loadRegistry() {
  const [channels, apps, keys] = await Promise.all([
    call("GET", `/channels?limit=${maximum}`),
    call("GET", "/apps"),
    call("GET", "/keys"),
  ]);
  if (byId("channels-commands").childElementCount === 0) {
    showExample("channels-commands", "apns channels create --gateway local", null);
  }
  byId("channels-empty").hidden = channels.channels.length > 0;
  byId("channels-box").hidden = channels.channels.length === 0;
  replace(byId("channels"), ...channels.channels.map(channelRow));
  replace(
    byId("apps"),
    ...apps.apps
      .slice(0, maximum)
      .map((app) => row([app.topic, h("code", {}, shown(app["team-id"])), app.capabilities.join(", ")])),
  );
  replace(
    byId("keys"),
    ...keys.keys
      .slice(0, maximum)
      .map((key) =>
        row([
          h("code", {}, shown(key["key-id"])),
          h("code", {}, shown(key["team-id"])),
          key.kind === "topic" ? `topics ${key.topics.join(", ")}` : "team",
          key.environments.join(", "),
          key.revoked ? "revoked" : "valid",
        ]),
      ),
  );
  replace(byId("known-topics"), ...apps.apps.slice(0, maximum).map((app) => h("option", { value: app.topic })));
}

/** The first cell is the header of the row. */
function row(cells) {
  return h(
    "tr",
    {},
    ...cells.map((cell, index) =>
      h(index === 0 ? "th" : "td", index === 0 ? { scope: "row" } : {}, typeof cell === "string" ? shown(cell) : cell),
    ),
  );
}

function channelRow(channel) {
  const { stored } = channel;
  return row([
    h("code", {}, shown(channel["apns-channel-id"])),
    channel.topic,
    channel["message-storage-policy"] === 1 ? "the most recent message" : "no message",
    count(channel.subscribers),
    stored === null
      ? "nothing"
      : h(
          "a",
          { href: `#/notifications/${encodeURIComponent(stored["apns-unique-id"])}` },
          shown(`${summary(stored.payload ?? null) || "a message"}, until ${dayAndTime(stored.expires).slice(0, 16)}`),
        ),
  ]);
}

/** Apps, keys or channels may have changed. */
export const registryEvent = throttled(500, () => loadRegistry().catch(() => {}));
"""####),
        PageFile(
        name: "chart.js",
        text: ####"""
// The number of notifications in each second of the last two minutes, as columns and as a table.

import { h, replace, setText, svg } from "./dom.js";
import { count, counted } from "./text.js";

/** How many seconds the chart shows. */
export const seconds = 120;
const kinds = ["accepted", "refused", "unprocessed"];
const [width, height] = [480, 56];

export class RateChart {
  #box;
  #rows;
  #columns = [];
  #top;
  #rate = 0;
  #ticks = 0;
  /** The count of each kind per second, oldest first. */
  #samples = [];

  /** `box` is the element for the chart, `rows` is the body of the table. */
  constructor(box, rows) {
    this.#box = box;
    this.#rows = rows;
    const columns = svg("g");
    for (let index = 0; index < seconds; index += 1) {
      const own = kinds.map((kind) => {
        const place = { x: (index * width) / seconds, width: width / seconds - 1, height: 0 };
        const column = svg("rect", { class: kind, ...place });
        columns.append(column);
        return column;
      });
      this.#columns.push(own);
    }
    this.#top = h("span", { class: "chart-top", "aria-hidden": "true" });
    const picture = { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img" };
    replace(box, svg("svg", { ...picture, "aria-label": "No notifications yet" }, columns), this.#top);
  }

  /** Shows these seconds in place of all others, the oldest first; the last one ends now. */
  restart(samples) {
    this.#samples = samples.slice(-seconds);
    const last = this.#samples.at(-1);
    this.#rate = last === undefined ? 0 : kinds.reduce((sum, kind) => sum + last[kind], 0);
    this.#ticks = 0;
    this.#draw();
  }

  /** Adds the difference of two readings of the counts, about a second apart. */
  add(before, now) {
    const length = Math.max(0.2, (now.time - before.time) / 1000);
    const sample = Object.fromEntries(kinds.map((kind) => [kind, Math.max(0, now[kind] - before[kind])]));
    this.#samples.push(sample);
    if (this.#samples.length > seconds) this.#samples.shift();
    this.#rate = kinds.reduce((sum, kind) => sum + sample[kind], 0) / length;
    this.#draw();
  }

  get rateText() {
    return this.#rate < 10 ? String(Math.round(this.#rate * 10) / 10) : count(Math.round(this.#rate));
  }

  #draw() {
    const sums = this.#samples.map((sample) => kinds.reduce((sum, kind) => sum + sample[kind], 0));
    const highest = niceTop(Math.max(1, ...sums));
    setText(this.#top, `${count(highest)}/s`);
    const offset = seconds - this.#samples.length;
    for (const [index, columns] of this.#columns.entries()) {
      const sample = this.#samples[index - offset];
      let y = height;
      for (const [place, kind] of kinds.entries()) {
        const value = sample === undefined ? 0 : sample[kind];
        const tall = value === 0 ? 0 : Math.max(1.5, (value / highest) * height);
        y -= tall;
        columns[place].setAttribute("y", y);
        columns[place].setAttribute("height", tall);
      }
    }
    // Without this, a screen reader on the chart reads out every change.
    if (this.#ticks % 10 === 0) this.#tell();
    this.#ticks += 1;
  }

  #tell() {
    const total = (kind) => this.#samples.reduce((sum, sample) => sum + sample[kind], 0);
    const all = kinds.reduce((sum, kind) => sum + total(kind), 0);
    this.#box.firstElementChild.setAttribute(
      "aria-label",
      `${counted(all, "notification")} in the last ${this.#samples.length} seconds: ` +
        kinds.map((kind) => `${count(total(kind))} ${kind}`).join(", "),
    );
    const rows = [];
    for (let end = this.#samples.length; end > 0; end -= 10) {
      const part = this.#samples.slice(Math.max(0, end - 10), end);
      const cells = kinds.map((kind) => h("td", {}, count(part.reduce((sum, sample) => sum + sample[kind], 0))));
      rows.push(h("tr", {}, h("th", { scope: "row" }, `${this.#samples.length - end} s ago`), ...cells));
    }
    replace(this.#rows, ...rows);
  }
}

/** The smallest of 1, 2, 5, 10, 20, 50 … that is at least `value`. */
function niceTop(value) {
  const unit = 10 ** Math.floor(Math.log10(value));
  return unit * [1, 2, 5, 10].find((step) => step * unit >= value);
}
"""####),
        PageFile(
        name: "clock.js",
        text: ####"""
// The world's clock: shows and changes it.

import { call } from "./api.js";
import { byId, setText, toast } from "./dom.js";

let mode = "real";
/** The gateway's time when it was last received, and the page's time at that moment. */
let [told, at] = [0, 0];
let onTick = () => {};

const now = () => (mode === "manual" ? told : told + (performance.now() - at));

function take(clock) {
  mode = clock.mode;
  [told, at] = [Date.parse(clock.now), performance.now()];
  const choice = byId("clock-form").elements.mode;
  if (!byId("clock-form").contains(document.activeElement)) choice.value = mode;
  draw();
}

function draw() {
  if (at === 0) return;
  const text = new Date(now()).toISOString();
  setText(byId("clock-time"), text.slice(11, 19));
  setText(byId("clock-day"), `${text.slice(0, 10)} UTC`);
  setText(byId("clock-mode"), mode === "manual" ? "Stopped until it is changed" : "Follows the machine's clock");
  setText(byId("clock-chip-time"), text.slice(11, 19));
  setText(byId("clock-chip-mode"), mode === "manual" ? "manual" : "UTC");
  byId("clock-chip").classList.toggle("is-manual", mode === "manual");
  onTick(text.slice(11, 16));
}

export async function loadClock() {
  take(await call("GET", "/clock"));
}

export function clockEvent(data) {
  take(JSON.parse(data));
}

async function advance(by) {
  setText(byId("clock-problem"), "");
  try {
    take(await call("POST", "/clock/advance", { by }));
    toast(`The clock was advanced by ${by}`);
  } catch (error) {
    setText(byId("clock-problem"), error.message);
  }
}

export function startClock({ onTime }) {
  onTick = onTime;
  for (const button of document.querySelectorAll("[data-advance]")) {
    button.addEventListener("click", () => advance(button.dataset.advance));
  }
  byId("advance-form").addEventListener("submit", (event) => {
    event.preventDefault();
    advance(byId("advance-by").value.trim());
  });
  byId("clock-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    setText(byId("clock-problem"), "");
    const data = new FormData(event.target);
    const body = { mode: data.get("mode") };
    if (data.get("now") !== "") body.now = new Date(`${data.get("now")}Z`).toISOString();
    try {
      take(await call("PUT", "/clock", body));
      toast(body.mode === "manual" ? "The clock is manual" : "The clock is real");
      byId("clock-now").value = "";
    } catch (error) {
      setText(byId("clock-problem"), error.message);
    }
  });
  setInterval(() => {
    if (!document.hidden) draw();
  }, 500);
}
"""####),
        PageFile(
        name: "commands.js",
        text: ####"""
// Commands for a terminal that do what the page does. The control token is in none of them: a variable stands for it.

import { apiAddress, hasToken, world } from "./api.js";
import { byId, h, replace, toast } from "./dom.js";
import { memberSource } from "./json.js";
import { escaped, isPlain } from "./text.js";

const options = {
  "token": "--token",
  "apns-channel-id": "--channel",
  "apns-topic": "--topic",
  "apns-push-type": "--push-type",
  "apns-priority": "--priority",
  "apns-expiration": "--expiration",
  "apns-collapse-id": "--collapse-id",
};

/** A word for a POSIX shell, in single quotes where it needs them. */
const word = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** `apns send` finds a gateway on its own machine only, and there the default world. */
export const canUseLocal = world === null && ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);

/** A request to the control API; `body` is JSON text. */
export function curl(path, body) {
  const token = hasToken() ? ' -H "Authorization: Bearer $APNS_GATEWAY_CONTROL_TOKEN"' : "";
  return `curl -sSi${token} ${word(apiAddress(path))} -d ${word(escaped(body))}`;
}

/**
 * `apns send` for an envelope, given as JSON text. One that options cannot give is sent as a batch.
 *
 * `isChecked` is whether the command checks it before it sends.
 */
export function sendCommand(envelope, isChecked) {
  const values = JSON.parse(envelope);
  const payload = memberSource(envelope, "payload");
  const check = isChecked ? "" : " --skip-validation";
  const words = Object.entries(options)
    .filter(([name]) => values[name] !== undefined)
    .map(([name, option]) => `${option} ${word(String(values[name]))}`);
  const fits = Object.keys(values).every((name) => {
    if (name === "payload") return payload.startsWith("{");
    const text = String(values[name]);
    return name in options && text !== "" && !text.startsWith("-") && isPlain(text);
  });
  if (!fits || payload === null || values["apns-push-type"] === undefined || !isToken(values.token)) {
    return `printf '%s\\n' ${word(escaped(envelope))} | apns send --gateway local${check} --batch -`;
  }
  return `apns send --gateway local${check} ${words.join(" ")} --payload ${word(escaped(payload))}`;
}

const isToken = (token) => token === undefined || /^([0-9a-f]{2})+$/i.test(token);

/** Puts a text on the clipboard; `name` says what it is. */
export async function copy(text, name) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${name} was copied`);
  } catch {
    toast("The browser does not allow the page to copy", "bad");
  }
}

/** A command with a button that copies it. */
export function commandNode(command, name = "The command") {
  return h(
    "div",
    { class: "command" },
    h("pre", { tabindex: "0", role: "region", "aria-label": name }, command),
    h("button", { type: "button", "aria-label": `Copy: ${name}`, onclick: () => copy(command, name) }, "Copy"),
  );
}

/** Shows in an element what to paste for an empty list: `local` where that reaches this world, and `request`. */
export function showExample(id, local, request) {
  replace(
    byId(id),
    local === null || !canUseLocal ? null : commandNode(local, "Command with apns"),
    request === null ? null : commandNode(request, "Command with curl"),
  );
}
"""####),
        PageFile(
        name: "compose.js",
        text: ####"""
// The form that sends a notification: headers, payload with line numbers, findings while typing, the verdict.

import { call, callText } from "./api.js";
import { byId, h, icon, replace, setText, settled, toast } from "./dom.js";
import { base64, memberSource, prettyLines } from "./json.js";
import { findingNode, isOfHeader } from "./payload.js";
import { count, counted, shortToken, shown } from "./text.js";

/** Samples by name: push type, priority and payload. */
const samples = {
  alert: [
    "alert",
    "10",
    { aps: { alert: { title: "New lead", body: "Acme Corp. asks for a call back" }, sound: "default" } },
  ],
  silent: [
    "background",
    "5",
    { aps: { "content-available": 1 }, type: "ACCOUNT_UPDATE", accountId: "001000000000001AAA" },
  ],
  badge: ["alert", "5", { aps: { badge: 3 } }],
  critical: [
    "alert",
    "10",
    {
      aps: {
        alert: "The server room is too hot",
        sound: { critical: 1, name: "alarm.caf", volume: 1 },
        "interruption-level": "critical",
      },
    },
  ],
  voip: ["voip", "10", { aps: {}, caller: "Jane Appleseed" }],
  liveactivity: [
    "liveactivity",
    "10",
    {
      aps: {
        timestamp: 1700000000,
        event: "update",
        "content-state": { progress: 0.4 },
        alert: { title: "On its way", body: "Two stops left" },
      },
    },
  ],
};

const headerNames = [
  "token", "apns-topic", "apns-push-type", "apns-priority", "apns-expiration", "apns-collapse-id", "apns-id",
  "apns-channel-id",
];

/** The envelope of the form, with the exact payload of the text field. */
function envelope() {
  const body = {};
  for (const name of headerNames) {
    const value = byId("compose").elements[name].value.trim();
    if (value !== "") body[name] = value;
  }
  body["payload-base64"] = base64(byId("payload").value);
  return body;
}

let asked = 0;

const check = settled(250, async () => {
  asked += 1;
  const own = asked;
  let result;
  try {
    result = await call("POST", "/validate", envelope());
  } catch (error) {
    if (own === asked) setText(byId("findings-state"), `Not checked: ${error.message}`);
    return;
  }
  if (own !== asked) return;
  drawFindings(result);
});

function drawFindings({ findings, "payload-bytes": bytes, "maximum-payload-bytes": maximum }) {
  const tally = ["error", "warning", "note"]
    .map((severity) => [severity, findings.filter((finding) => finding.severity === severity).length])
    .filter(([, number]) => number > 0)
    .map(([severity, number]) => counted(number, severity));
  setText(byId("findings-state"), tally.length === 0 ? "Nothing found" : tally.join(", "));
  const limit = typeof maximum === "number" ? ` of ${count(maximum)}` : "";
  setText(byId("payload-size"), `${count(bytes)}${limit} bytes`);
  byId("payload-size").classList.toggle("is-over", typeof maximum === "number" && bytes > maximum);
  const order = { error: 0, warning: 1, note: 2 };
  const sorted = findings.toSorted((left, right) => order[left.severity] - order[right.severity]);
  replace(byId("findings"), ...sorted.map(findingItem));
  const worst = new Map();
  for (const finding of sorted.toReversed()) if (finding.line !== undefined) worst.set(finding.line, finding.severity);
  drawGutter(worst);
}

function findingItem(finding) {
  if (finding.line === undefined) {
    const place = isOfHeader(finding) ? finding.pointer : "payload";
    return h("li", {}, h("span", { class: "place" }, shown(place)), findingNode(finding, "span"));
  }
  return h(
    "li",
    {},
    h("button", { type: "button", class: "place", onclick: () => select(finding) }, `line ${finding.line}`),
    findingNode(finding, "span"),
  );
}

/** Selects what a finding is about. Columns count characters, the field's selection counts UTF-16. */
function select(finding) {
  const field = byId("payload");
  const lines = field.value.split("\n");
  const place = (line, column) => {
    const before = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    return before + Array.from(lines[line - 1] ?? "").slice(0, column - 1).join("").length;
  };
  field.focus();
  field.setSelectionRange(place(finding.line, finding.column), place(finding["end-line"], finding["end-column"]));
}

let marks = new Map();

function drawGutter(worst = marks) {
  marks = worst;
  const lines = byId("payload").value.split("\n").length;
  const gutter = byId("payload-gutter");
  replace(
    gutter,
    ...Array.from({ length: Math.min(lines, 5000) }, (_, index) =>
      h("span", { class: worst.has(index + 1) ? `mark ${worst.get(index + 1)}` : null }, String(index + 1)),
    ),
  );
  gutter.scrollTop = byId("payload").scrollTop;
}

function changed() {
  drawGutter();
  check();
}

function pretty(source) {
  return prettyLines(source)
    .map((line) => "  ".repeat(line.depth) + line.parts.map((part) => part.text).join(""))
    .join("\n");
}

/** Fills the form with an envelope, given as JSON text. */
export function composeEnvelope(text) {
  const values = JSON.parse(text);
  for (const name of headerNames) {
    byId("compose").elements[name].value = name === "apns-id" ? "" : String(values[name] ?? "");
  }
  const payload = memberSource(text, "payload");
  byId("payload").value = payload === null ? "" : pretty(payload);
  byId("compose-sample").value = "";
  forgetResult();
  changed();
}

/** Fills in the target device. */
export async function composeFor(token) {
  const fields = byId("compose").elements;
  fields.token.value = token;
  try {
    const device = await call("GET", `/devices/${encodeURIComponent(token)}`);
    fields["apns-topic"].value = device.topic;
  } catch {
    // A device token that is not registered is allowed too: the verdict tells.
  }
  changed();
}

function forgetResult() {
  replace(byId("compose-result"));
}

/** Fills in the device and the app if there is only one. */
export async function startForm() {
  const fields = byId("compose").elements;
  if (fields.token.value !== "" || fields["apns-topic"].value !== "") return;
  try {
    const [{ apps }, { devices }] = await Promise.all([call("GET", "/apps"), call("GET", "/devices?limit=50")]);
    replace(byId("known-devices"), ...devices.map((device) => h("option", { value: device.token })));
    if (devices.length > 0) {
      fields.token.value = devices[0].token;
      fields["apns-topic"].value = devices[0].topic;
    } else if (apps.length > 0) {
      fields["apns-topic"].value = apps[0].topic;
    }
    changed();
  } catch {
    // The form also works without them.
  }
}

export function startCompose() {
  const form = byId("compose");
  const payload = byId("payload");
  const useSample = () => {
    const sample = samples[byId("compose-sample").value];
    if (sample === undefined) return;
    const fields = form.elements;
    [fields["apns-push-type"].value, fields["apns-priority"].value] = sample;
    const topic = fields["apns-topic"].value.replace(/\.(voip|push-type\.liveactivity)$/, "");
    const suffix = { voip: ".voip", liveactivity: ".push-type.liveactivity" }[sample[0]] ?? "";
    if (topic !== "") fields["apns-topic"].value = topic + suffix;
    payload.value = JSON.stringify(sample[2], null, 2);
    changed();
  };
  byId("compose-sample").addEventListener("change", useSample);
  form.addEventListener("input", changed);
  payload.addEventListener("scroll", () => (byId("payload-gutter").scrollTop = payload.scrollTop), { passive: true });
  byId("payload-format").addEventListener("click", () => {
    try {
      JSON.parse(payload.value);
    } catch {
      toast("The payload is not JSON, so it was left as it is", "bad");
      return;
    }
    payload.value = pretty(payload.value);
    changed();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    setText(byId("compose-problem"), "");
    try {
      drawResult(JSON.parse(await callText("POST", "/notifications", envelope())));
    } catch (error) {
      setText(byId("compose-problem"), error.message);
    }
  });
  useSample();
}

function drawResult(entry) {
  const isGood = entry.outcome === "accepted";
  replace(
    byId("compose-result"),
    h(
      "div",
      { class: `verdict ${entry.outcome}` },
      h(
        "p",
        { class: "verdict-head" },
        icon(isGood ? "check" : entry.outcome === "refused" ? "cross" : "warning"),
        h("strong", {}, isGood ? "Accepted" : entry.outcome === "refused" ? "Refused" : "Not processed"),
        entry.status === null ? null : h("span", { class: "status" }, String(entry.status)),
        entry.reason === null ? null : h("code", {}, shown(entry.reason)),
        h("a", { href: `#/notifications/${entry["apns-unique-id"]}` }, "Show it"),
      ),
      h("p", {}, shown(entry.fault?.why ?? entry.life.at(-1)?.why ?? entry.why)),
      entry.token === undefined
        ? null
        : h("p", { class: "quiet" }, `To ${shortToken(entry.token)}, now ${entry.stage ?? ""}`),
    ),
  );
}
"""####),
        PageFile(
        name: "detail.js",
        text: ####"""
// One notification: what the gateway decided and why, its headers, its payload, its life.

import { Problem, callText } from "./api.js";
import { canUseLocal, copy, curl, sendCommand } from "./commands.js";
import { byId, h, icon, replace, setText, throttled } from "./dom.js";
import { memberSource } from "./json.js";
import { findingNode, isOfHeader, payloadNode } from "./payload.js";
import { count, counted, dayAndTime, plain, shown } from "./text.js";

const headerNames = [
  "apns-topic", "apns-push-type", "apns-priority", "apns-expiration", "apns-collapse-id", "apns-id", "apns-request-id",
  "apns-channel-id",
];
const envelopeNames = ["token", ...headerNames, "payload", "payload-base64"];
/** Of a notification that is sent again: it gets an id of its own. */
const againNames = envelopeNames.filter((name) => name !== "apns-id" && name !== "apns-request-id");
const outcomes = { accepted: "Accepted", refused: "Refused", unprocessed: "Not processed" };

let current = null;
let drawn = null;
let answer = "";

/** The id of the notification that is shown; null for none. */
export const shownNotification = () => current;

/** Shows the notification with this apns-unique-id, or nothing for null. */
export async function showNotification(id) {
  current = id;
  byId("split").classList.toggle("has-detail", id !== null);
  byId("detail-empty").hidden = id !== null;
  byId("detail-body").hidden = id === null;
  if (id === null) {
    drawn = null;
    return;
  }
  await load();
}

/** Something happened to the notification that is shown. */
export const refreshDetail = throttled(250, async () => {
  if (current !== null) await load();
});

async function load() {
  const id = current;
  let text;
  try {
    text = await callText("GET", `/notifications/${encodeURIComponent(id)}`);
  } catch (error) {
    if (!(error instanceof Problem) || id !== current) return;
    drawn = null;
    setText(byId("detail-title"), error.status === 404 ? "Not in the journal" : error.title);
    replace(byId("detail-content"), h("p", { class: "quiet" }, error.message));
    return;
  }
  if (id !== current) return;
  answer = text;
  const entry = JSON.parse(text);
  if (drawn !== id) {
    drawn = id;
    draw(entry, text);
  }
  drawLife(entry);
}

function draw(entry, text) {
  const kind = entry["apns-push-type"];
  const isSent = ["notification", "broadcast"].includes(entry.request ?? "notification");
  for (const id of ["detail-again", "detail-curl"]) byId(id).hidden = !isSent;
  byId("detail-send").hidden = !isSent || !canUseLocal;
  setText(byId("detail-title"), entry.request ? entry.request.replaceAll("-", " ") : plain(kind ?? "Notification"));
  const findings = entry.findings ?? [];
  const ofPayload = findings.filter((finding) => !isOfHeader(finding));
  const ofHeaders = findings.filter(isOfHeader);
  replace(
    byId("detail-content"),
    verdict(entry),
    part("Life", h("ol", { class: "life", id: "life" })),
    "payload-bytes" in entry && (memberSource(text, "payload") ?? memberSource(text, "payload-base64")) !== null
      ? part(
          "Payload",
          h("p", { class: "quiet" }, `${count(entry["payload-bytes"])} bytes${findingsText(ofPayload)}`),
          payloadNode(text, ofPayload),
        )
      : null,
    part("Headers", headers(entry, ofHeaders)),
  );
}

function findingsText(findings) {
  return findings.length === 0 ? ", nothing found in it" : `, ${counted(findings.length, "finding")}`;
}

function part(title, ...children) {
  return h("section", { class: "part" }, h("h3", {}, title), ...children);
}

function verdict(entry) {
  const isGood = entry.outcome === "accepted";
  return h(
    "div",
    { class: `verdict ${entry.outcome}` },
    h(
      "p",
      { class: "verdict-head" },
      icon(isGood ? "check" : entry.outcome === "refused" ? "cross" : "warning"),
      h("strong", {}, outcomes[entry.outcome] ?? entry.outcome),
      entry.status === null ? null : h("span", { class: "status" }, String(entry.status)),
      entry.reason === null ? null : h("code", {}, shown(entry.reason)),
    ),
    h("p", {}, shown(entry.why)),
    entry.fault ? h("p", {}, `Fault rule ${entry.fault.id}: `, shown(entry.fault.why)) : null,
    h("p", { class: "quiet" }, "Rule ", h("code", {}, entry.rule)),
  );
}

function headers(entry, findings) {
  const rows = [];
  const add = (name, value, isKnown = true) => {
    const own = findings.filter((finding) => finding.pointer === name);
    if (value === undefined && own.length === 0) return;
    rows.push(
      h(
        "div",
        {},
        h("dt", {}, name),
        h(
          "dd",
          {},
          value === undefined
            ? h("span", { class: "quiet" }, "absent")
            : h("span", { class: isKnown ? "value" : "value quiet" }, shown(value)),
          ...own.map((finding) => findingNode(finding)),
        ),
      ),
    );
  };
  for (const name of headerNames) add(name, entry[name]);
  add("device token", entry.token);
  add("apns-unique-id", entry["apns-unique-id"], false);
  add("received", dayAndTime(entry.received) + " UTC", false);
  add("environment", entry.environment, false);
  add("sent by", sender(entry), false);
  return h("dl", { class: "facts" }, ...rows);
}

function sender(entry) {
  if (entry["sent-by"] === "control") return "the control API, without a provider token";
  if (entry["key-id"] === undefined) return entry.verified ? "a client certificate" : "an unverified sender";
  return `key ${entry["key-id"]}, team ${entry["team-id"]}${entry.verified ? "" : ", not verified"}`;
}

function drawLife(entry) {
  const list = byId("life");
  const life = entry.life ?? [];
  if (list === null || list.dataset.count === String(life.length)) return;
  list.dataset.count = life.length;
  replace(
    list,
    ...life.map((line) =>
      h(
        "li",
        { class: `stage-${line.stage}` },
        h("time", { datetime: line.at }, line.at.slice(11, 23)),
        h("strong", {}, line.stage),
        h("span", {}, shown(line.why)),
      ),
    ),
  );
}

/** The envelope of the notification that is shown, in the form for sending it again. */
export function shownEnvelope(names = envelopeNames) {
  if (current === null || answer === "") return null;
  const members = names
    .map((name) => [name, memberSource(answer, name)])
    .filter(([, source]) => source !== null)
    .map(([name, source]) => `${JSON.stringify(name)}:${source}`);
  return `{${members.join(",")}}`;
}

export function startDetail({ onSendAgain, onClose }) {
  const onCopy = (id, name, names, text) =>
    byId(id).addEventListener("click", () => {
      const envelope = shownEnvelope(names);
      if (envelope !== null) copy(text(envelope), name);
    });
  onCopy("detail-copy", "The envelope", envelopeNames, (envelope) => envelope);
  onCopy("detail-curl", "The curl command", againNames, (envelope) => curl("/notifications", envelope));
  onCopy("detail-send", "The apns send command", againNames, (envelope) => {
    const { outcome, findings = [] } = JSON.parse(answer);
    const isChecked = outcome === "accepted" && findings.every((finding) => finding.severity !== "error");
    return sendCommand(envelope, isChecked);
  });
  byId("detail-again").addEventListener("click", () => {
    const envelope = shownEnvelope();
    if (envelope !== null) onSendAgain(envelope);
  });
  byId("detail-close").addEventListener("click", onClose);
  byId("detail").addEventListener("keydown", (event) => {
    if (event.key === "Escape") onClose();
  });
}

"""####),
        PageFile(
        name: "devices.js",
        text: ####"""
// The devices of the world as phones.

import { call } from "./api.js";
import { curl, showExample } from "./commands.js";
import { byId, h, replace, setText, throttled, toast } from "./dom.js";
import { Phone } from "./phone.js";
import { counted } from "./text.js";

const pageSize = 12;
const phones = new Map();
let next = null;
let total = 0;
let time = "";

/** Reloads the first page of devices. */
export async function loadDevices() {
  const page = await call("GET", `/devices?limit=${pageSize}`);
  const isThere = new Set(page.devices.map((device) => device.token));
  for (const [token, phone] of phones) {
    if (isThere.has(token)) continue;
    phone.disconnect();
    phone.node.remove();
    phones.delete(token);
  }
  for (const device of page.devices) take(device);
  ({ next, total } = page);
  drawState();
}

/** Devices are in the order of their registration. */
function take(device) {
  const known = phones.get(device.token);
  if (known !== undefined) {
    known.update(device);
    known.refresh();
    return;
  }
  const phone = new Phone(device, { time });
  phones.set(device.token, phone);
  byId("devices").append(phone.node);
}

async function loadMore() {
  const page = await call("GET", `/devices?limit=${pageSize}&cursor=${next}`);
  for (const device of page.devices) take(device);
  ({ next, total } = page);
  drawState();
}

function drawState() {
  if (phones.size === 0) drawExample();
  byId("devices-empty").hidden = phones.size > 0;
  byId("devices-more").hidden = next === null;
  const part = phones.size === total ? "" : `${phones.size} of `;
  setText(byId("devices-state"), part + counted(total, "device"));
  replace(byId("known-devices"), ...[...phones.values()].map((phone) => h("option", { value: phone.token })));
}

/** Shows the commands that make a first device. */
function drawExample() {
  if (byId("devices-commands").childElementCount > 0) return;
  const body = JSON.stringify({ topic: "com.example.agent" });
  showExample("devices-commands", `apns device --control ${location.origin}`, curl("/devices", body));
}

/** Something happened to many devices at once, or to one that is not shown. */
const reload = throttled(500, () => loadDevices().catch(() => {}));

export function deviceEvent(name, data) {
  if (name === "reset") {
    reload();
    return;
  }
  const event = JSON.parse(data);
  if (name.startsWith("device-")) {
    const phone = phones.get(event.token);
    if (phone !== undefined) {
      phone.update(event);
      phone.refresh();
    } else if (name === "device-registered") {
      reload();
    }
    return;
  }
  // A delivery, or a notification that registered its device.
  const phone = phones.get(event.token);
  if (phone !== undefined) phone.refresh();
  else if (name === "notification" && event.outcome === "accepted" && phones.size < pageSize) reload();
}

export function devicesMissed() {
  reload();
}

/** Listeners connect and disconnect without an event, so visible devices are polled while the view is open. */
export function lookAtDevices() {
  if (!document.hidden && !byId("view-devices").hidden) reload();
}

export function setDeviceTime(text) {
  time = text;
  for (const phone of phones.values()) phone.setTime(text);
}

/** Shows one device, if it exists. */
export function revealDevice(token) {
  const phone = phones.get(token);
  if (phone === undefined) return;
  phone.node.scrollIntoView({ block: "nearest" });
}

export function startDevices() {
  byId("devices-more").addEventListener("click", () => loadMore().catch((error) => toast(error.message, "bad")));
  byId("register").addEventListener("submit", async (event) => {
    event.preventDefault();
    const problem = byId("register-problem");
    setText(problem, "");
    const body = {};
    for (const [name, value] of new FormData(event.target)) if (value.trim() !== "") body[name] = value.trim();
    try {
      const device = await call("POST", "/devices", body);
      toast("The device is registered");
      await loadDevices();
      revealDevice(device.token);
      byId("register-token").value = "";
    } catch (error) {
      setText(problem, error.message);
    }
  });
}
"""####),
        PageFile(
        name: "dom.js",
        text: ####"""
// Creates elements. Text only becomes text nodes: nothing here turns a string into HTML.

const svgSpace = "http://www.w3.org/2000/svg";

/** An element with properties, attributes and children; `on…` properties are listeners, null leaves one out. */
export function h(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** The same for SVG. */
export function svg(tag, properties = {}, ...children) {
  return fill(document.createElementNS(svgSpace, tag), properties, children);
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** An icon of the sprite in index.html; screen readers skip it. */
export function icon(name) {
  return svg("svg", { class: "icon", "aria-hidden": "true" }, svg("use", { href: `#icon-${name}` }));
}

export const byId = (id) => document.getElementById(id);

/** Sets text only if it changed, so that it is not drawn or read out again without need. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Replaces the children of an element. */
export function replace(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined));
}

let announcement = 0;

/** Has a screen reader read a message when it is idle; a newer message replaces a waiting one. */
export function announce(text) {
  clearTimeout(announcement);
  announcement = setTimeout(() => setText(byId("announcer"), text), 100);
}

/** Shows the result of an action for a while and has it read out. */
export function toast(text, kind = "good") {
  const box = byId("toasts");
  const note = h("div", { class: `toast ${kind}` }, icon(kind === "bad" ? "cross" : "check"), h("span", {}, text));
  box.append(note);
  while (box.childElementCount > 3) box.firstElementChild.remove();
  setTimeout(() => note.remove(), kind === "bad" ? 12000 : 5000);
  announce(text);
}

/** Asks for confirmation before something is deleted. */
export function confirm(question, action) {
  const dialog = byId("confirm-dialog");
  setText(byId("confirm-question"), question);
  setText(byId("confirm-yes"), action);
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}

/** Has the browser save a file with this name. */
export function save(name, parts, type) {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Runs `work` at most once in `milliseconds`, and once more if it was called in between. */
export function throttled(milliseconds, work) {
  let timer = 0;
  let running = false;
  let again = false;
  async function run() {
    timer = 0;
    running = true;
    again = false;
    try {
      await work();
    } finally {
      running = false;
      if (again) timer = setTimeout(run, milliseconds);
    }
  }
  return () => {
    if (running) again = true;
    else if (timer === 0) timer = setTimeout(run, milliseconds);
  };
}

/** Runs `work` once no call has come for `milliseconds`. */
export function settled(milliseconds, work) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...values), milliseconds);
  };
}
"""####),
        PageFile(
        name: "effects.js",
        text: ####"""
// The form for the effect of a fault rule: a choice of effect, and fields for what it takes.

import { h, replace } from "./dom.js";

let count = 0;

const input = (name, label, properties) => ({
  name,
  label,
  make: () => h("input", { autocomplete: "off", spellcheck: "false", ...properties }),
});
const number = (name, label, properties) => input(name, label, { type: "number", min: 0, ...properties });
const choice = (name, label, ...words) => ({
  name,
  label,
  make: () => h("select", {}, ...words.map(([value, text]) => h("option", { value }, text))),
});
/** A field that is there only while the field `kind` has a value. */
const when = (kind, value, field) => ({ ...field, isFor: (values) => values[kind] === value });

const moment = choice(
  "moment", "Moment", ["before", "before it is judged"], ["after", "after it is judged"],
);
const reason = (placeholder) => input("reason", "Reason", { list: "reasons", placeholder });

const delayKinds = [
  ["fixed", "always the same"], ["uniform", "between two times"], ["log-normal", "as on a network"],
];

/** The fields of a delay, and how they become its JSON and the reverse. */
function delay(label, { isEndless = true, others = [] } = {}) {
  const endless = isEndless ? [["never", "without end"]] : [];
  return {
    fields: [
      choice("kind", label, ...others, ...delayKinds, ...endless),
      when("kind", "fixed", input("time", "Time", { placeholder: "200ms, 5s, 10m" })),
      when("kind", "uniform", input("from", "From", { placeholder: "10ms" })),
      when("kind", "uniform", input("to", "To", { placeholder: "2s" })),
      when("kind", "log-normal", input("median", "Median", { placeholder: "40ms" })),
      when("kind", "log-normal", number("sigma", "Sigma", { step: "any", placeholder: "0.8" })),
    ],
    read(values) {
      const { kind, time, from, to, median, sigma } = values;
      if (kind === "uniform") return { uniform: [from, to] };
      if (kind === "log-normal") return { "log-normal": { median, sigma: numeric(sigma) } };
      return kind === "fixed" ? time : kind;
    },
    write(value) {
      if (value === "never") return { kind: "never" };
      if (typeof value === "string") return { kind: "fixed", time: value };
      if ("uniform" in value) return { kind: "uniform", from: value.uniform[0], to: value.uniform[1] };
      return { kind: "log-normal", ...value["log-normal"] };
    },
  };
}

/** A number, or null for an empty field: the gateway then says what is missing. */
const numeric = (text) => (text === "" ? null : Number(text));

/** The members that are set. */
const only = (members) => Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== ""));

const plainMoment = {
  fields: [moment],
  read: ({ moment }) => (moment === "after" ? "after" : true),
  write: (value) => ({ moment: value === "after" ? "after" : "before" }),
};
const plainTrue = { fields: [], read: () => true, write: () => ({}) };
const plainNumber = (label, properties) => ({
  fields: [number("number", label, properties)],
  read: ({ number }) => numeric(number),
  write: (value) => ({ number: value }),
});

/** By key: its name, its group, its fields, and how their values become the effect's JSON and the reverse. */
const effects = {
  refuse: {
    name: "Refuse with a reason",
    group: "Answers",
    fields: [
      reason("TooManyRequests"),
      number("status", "Status", { min: 400, max: 599, placeholder: "that of the reason" }),
      number("streams", "Stream limit with it", { placeholder: "unchanged" }),
    ],
    read: (values) =>
      only({
        status: numeric(values.status), reason: values.reason, "max-concurrent-streams": numeric(values.streams),
      }),
    write: (value) => ({ ...value, streams: value["max-concurrent-streams"] }),
  },
  delay: { name: "Delay the answer", group: "Answers", ...delay("Delay") },
  silence: { name: "Never answer", group: "Answers", ...plainMoment },
  "slow-body": { name: "Send the answer byte by byte", group: "Answers", ...delay("Duration") },
  reset: {
    name: "Reset the stream",
    group: "Streams and connections",
    fields: [number("code", "Error code", { placeholder: "7 is REFUSED_STREAM" }), moment],
    read: ({ code, moment }) => (moment === "after" ? { code: numeric(code), after: true } : numeric(code)),
    write: (value) =>
      typeof value === "number"
        ? { code: value, moment: "before" }
        : { code: value.code, moment: value.after ? "after" : "before" },
  },
  goaway: {
    name: "Send GOAWAY",
    group: "Streams and connections",
    fields: [
      reason("Shutdown"),
      choice(
        "last", "Last stream", ["this", "this request"], ["previous", "the one before: not processed"], ["all", "2^31-1"],
      ),
      choice("close", "Closes", ["true", "when all is answered"], ["false", "not"], ["now", "at once"]),
      choice("twice", "Frames", ["false", "one"], ["true", "two, the first with 2^31-1"]),
      number("code", "Error code", { placeholder: "0" }),
    ],
    read: (values) =>
      only({
        reason: values.reason, "last-stream": values.last, twice: values.twice === "true",
        close: values.close === "now" ? "now" : values.close === "true", code: numeric(values.code),
      }),
    write: (value) => ({
      ...value, last: value["last-stream"] ?? "this", close: String(value.close ?? true),
      twice: String(value.twice ?? false),
    }),
  },
  disconnect: {
    name: "Close the connection",
    group: "Streams and connections",
    fields: [moment, choice("how", "How", ["false", "in order"], ["true", "with a reset of TCP"])],
    read: ({ moment, how }) => {
      if (how === "true") return { after: moment === "after", reset: true };
      return moment === "after" ? "after" : true;
    },
    write: (value) => ({
      moment: value === "after" || value.after === true ? "after" : "before", how: String(value.reset === true),
    }),
  },
  "half-open": { name: "Leave the connection half open", group: "Streams and connections", ...plainMoment },
  "max-concurrent-streams": {
    name: "Limit the streams", group: "Streams and connections", ...plainNumber("Streams", { placeholder: "1" }),
  },
  window: {
    name: "Limit the window",
    group: "Streams and connections",
    fields: [
      number("bytes", "Bytes", { placeholder: "0 closes it" }),
      input("for", "For", { placeholder: "until it is removed" }),
    ],
    read: (values) =>
      values.for === "" ? numeric(values.bytes) : { bytes: numeric(values.bytes), for: values.for },
    write: (value) => (typeof value === "number" ? { bytes: value } : value),
  },
  "slow-accept": { name: "Keep new connections waiting", group: "Streams and connections", ...delay("Duration") },
  lose: { name: "Accept, and lose it", group: "Devices", ...plainTrue },
  duplicate: {
    name: "Deliver it several times", group: "Devices", ...plainNumber("Times", { min: 2, max: 100, placeholder: "2" }),
  },
  offline: (() => {
    const base = delay("For", { isEndless: false, others: [["true", "until it is set online"]] });
    return {
      name: "Take the device offline",
      group: "Devices",
      fields: base.fields,
      read: (values) => (values.kind === "true" ? true : base.read(values)),
      write: (value) => (value === true ? { kind: "true" } : base.write(value)),
    };
  })(),
  uninstall: { name: "Uninstall the app, noticed later", group: "Devices", ...delay("Noticed after") },
};

/** The name of an effect, as the form has it. */
export const effectName = (effect) => effects[Object.keys(effect)[0]]?.name ?? Object.keys(effect)[0];

export class EffectForm {
  #choice;
  #box;
  /** The controls of the chosen effect, by the names of its fields. */
  #controls = new Map();
  #fields = [];

  /** `choice` is a select for the effects, `box` the element for the fields; both are in a form. */
  constructor(choice, box) {
    this.#choice = choice;
    this.#box = box;
    const groups = new Set(Object.values(effects).map((effect) => effect.group));
    for (const group of groups) {
      const own = Object.entries(effects).filter(([, effect]) => effect.group === group);
      const names = own.map(([key, { name }]) => h("option", { value: key }, name));
      choice.append(h("optgroup", { label: group }, ...names));
    }
    choice.addEventListener("change", () => this.#show());
    box.addEventListener("input", () => this.#hide());
    this.#show();
  }

  get #values() {
    return Object.fromEntries([...this.#controls].map(([name, control]) => [name, control.value.trim()]));
  }

  #show(values = {}) {
    this.#fields = effects[this.#choice.value].fields;
    this.#controls.clear();
    const labels = this.#fields.map((field) => {
      count += 1;
      const control = field.make();
      control.id = `effect-${field.name}-${count}`;
      control.dataset.field = field.name;
      const value = values[field.name];
      if (value !== undefined) control.value = value;
      this.#controls.set(field.name, control);
      return h("label", { class: "field", for: control.id }, field.label, control);
    });
    replace(this.#box, ...labels);
    this.#box.hidden = labels.length === 0;
    this.#hide();
  }

  /** Hides the fields that another field makes meaningless. */
  #hide() {
    const values = this.#values;
    for (const { name, isFor } of this.#fields) {
      if (isFor !== undefined) this.#controls.get(name).closest("label").hidden = !isFor(values);
    }
  }

  /** The effect as the API takes it. */
  get effect() {
    const key = this.#choice.value;
    return { [key]: effects[key].read(this.#values) };
  }

  set effect(effect) {
    const [key, value] = Object.entries(effect)[0];
    this.#choice.value = key;
    this.#show(effects[key].write(value));
  }
}
"""####),
        PageFile(
        name: "faults.js",
        text: ####"""
// The fault rules: those in force, and a form to add one.

import { call } from "./api.js";
import { commandNode, curl, showExample } from "./commands.js";
import { byId, confirm, h, replace, setText, throttled, toast } from "./dom.js";
import { EffectForm, effectName } from "./effects.js";
import { dayAndTime, shortToken, shown } from "./text.js";

/** The templates: a description and its effect. */
const templates = [
  ["Refuse: too many requests", { refuse: { status: 429, reason: "TooManyRequests" } }],
  ["Refuse: unregistered", { refuse: { status: 410, reason: "Unregistered" } }],
  ["Refuse: service unavailable", { refuse: { status: 503, reason: "ServiceUnavailable" } }],
  [
    "Refuse, and allow one stream",
    { refuse: { status: 429, reason: "TooManyRequests", "max-concurrent-streams": 1 } },
  ],
  ["Delay the answer by 200 ms", { delay: "200ms" }],
  ["Delay between 10 ms and 2 s", { delay: { uniform: ["10ms", "2s"] } }],
  ["Delay as on a busy network", { delay: { "log-normal": { median: "40ms", sigma: 0.8 } } }],
  ["Never answer", { silence: true }],
  ["Reset the stream (REFUSED_STREAM)", { reset: 7 }],
  ["Send GOAWAY", { goaway: { reason: "Shutdown", "last-stream": "this", twice: false, close: true } }],
  ["Close the connection", { disconnect: true }],
  ["Leave the connection half open", { "half-open": true }],
  ["Allow one stream at a time", { "max-concurrent-streams": 1 }],
  ["Close the window", { window: 0 }],
  ["Accept, and lose it", { lose: true }],
  ["Deliver it twice", { duplicate: 2 }],
  ["Take the device offline for a while", { offline: "5m" }],
  ["Uninstall the app, noticed late", { uninstall: "1h" }],
  ["Send the answer byte by byte", { "slow-body": "5s" }],
  ["Keep new connections waiting", { "slow-accept": "2s" }],
];

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** An effect as text, with each time in milliseconds, because the gateway gives them in other units. */
function canonical(effect) {
  return JSON.stringify(effect, (_, value) => {
    const time = /^(\d+)(ms|s|m|h|d)$/.exec(value);
    return time === null ? value : Number(time[1]) * units[time[2]];
  });
}

const matchNames = ["token", "topic", "push-type"];

export async function loadFaults() {
  const { faults } = await call("GET", "/faults");
  if (byId("faults-commands").childElementCount === 0) {
    showExample("faults-commands", null, curl("/faults", JSON.stringify({ effect: templates[0][1], count: 1 })));
  }
  byId("faults-empty").hidden = faults.length > 0;
  byId("faults-clear").hidden = faults.length === 0;
  setText(byId("nav-faults-count"), faults.length === 0 ? "" : String(faults.length));
  byId("nav-faults-count").hidden = faults.length === 0;
  const held = document.activeElement?.dataset?.fault ?? null;
  replace(byId("faults"), ...faults.map(faultNode));
  if (held === null) return;
  const again = byId("faults").querySelector(`[data-fault="${CSS.escape(held)}"]`);
  (again ?? byId("faults-title")).focus();
}

const reload = throttled(300, () => loadFaults().catch(() => {}));

/** A rule was added, removed or used up, or may have been applied. */
export function faultEvent() {
  reload();
}

function faultNode(fault) {
  const title = templates.find(([, effect]) => canonical(effect) === canonical(fault.effect))?.[0];
  return h(
    "li",
    { class: "fault" },
    h(
      "div",
      {},
      h("p", { class: "fault-title" }, title ?? effectName(fault.effect)),
      h("code", { class: "fault-effect" }, shown(JSON.stringify(fault.effect))),
      h("p", { class: "quiet" }, shown(`${matchText(fault.match)} · ${useText(fault)}`)),
    ),
    h(
      "button",
      {
        type: "button",
        "data-fault": fault.id,
        "aria-label": `Remove the rule ${title ?? effectName(fault.effect)}`,
        onclick: () => remove(fault.id),
      },
      "Remove",
    ),
  );
}

function matchText(match) {
  const parts = Object.entries(match).map(([name, value]) => {
    if (name === "headers") return `headers ${JSON.stringify(value)}`;
    return `${name} ${name === "token" ? shortToken(value) : value}`;
  });
  return parts.length === 0 ? "every request" : parts.join(", ");
}

function useText(fault) {
  const parts = [fault.count === undefined ? `hit ${fault.used} times` : `hit ${fault.used} of ${fault.count} times`];
  if (fault.probability < 1) parts.unshift(`${Math.round(fault.probability * 1000) / 10} % of them`);
  if (fault.until !== undefined) parts.push(`until ${dayAndTime(fault.until)}`);
  return parts.join(" · ");
}

async function remove(id) {
  try {
    await call("DELETE", `/faults/${encodeURIComponent(id)}`);
    toast("The fault rule is removed");
    await loadFaults();
    byId("faults-title").focus();
  } catch (error) {
    toast(error.message, "bad");
  }
}

/** The rule in the form. */
function ruleOfForm(form, effect) {
  const data = new FormData(form);
  const text = (name) => String(data.get(name) ?? "").trim();
  const rule = { effect };
  const match = Object.fromEntries(matchNames.map((name) => [name, text(name)]).filter(([, value]) => value !== ""));
  if (Object.keys(match).length > 0) rule.match = match;
  const share = text("probability");
  if (share !== "" && Number(share) !== 100) rule.probability = Number(share) / 100;
  if (text("count") !== "") rule.count = Number(text("count"));
  if (text("until") !== "") rule.until = new Date(`${text("until")}Z`).toISOString();
  return rule;
}

export function startFaults() {
  const form = byId("fault-form");
  const choice = byId("fault-template");
  const effects = new EffectForm(byId("fault-effect"), byId("fault-fields"));
  const own = h("option", { value: "" }, "Your own");
  replace(choice, ...templates.map(([name], index) => h("option", { value: index }, name)), own);
  const fill = () => {
    if (choice.value !== "") effects.effect = templates[choice.value][1];
  };
  const rule = () => ruleOfForm(form, effects.effect);
  const drawCommand = () => {
    replace(byId("fault-command"), commandNode(curl("/faults", JSON.stringify(rule())), "Command that adds the rule"));
  };
  form.addEventListener("input", (event) => {
    if (event.target.closest("#fault-fields, #fault-effect") !== null) choice.value = "";
  });
  // After what the fields themselves do.
  form.addEventListener("change", (event) => {
    if (event.target === choice) fill();
    drawCommand();
  });
  fill();
  drawCommand();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const problem = byId("fault-problem");
    setText(problem, "");
    try {
      await call("POST", "/faults", rule());
      toast("The fault rule is active");
      await loadFaults();
    } catch (error) {
      setText(problem, error.message);
    }
  });
  byId("faults-clear").addEventListener("click", async () => {
    if (!(await confirm("Remove all fault rules?", "Remove all"))) return;
    try {
      await call("DELETE", "/faults");
      toast("All fault rules are removed");
      await loadFaults();
      byId("faults-title").focus();
    } catch (error) {
      toast(error.message, "bad");
    }
  });
}
"""####),
        PageFile(
        name: "icon.svg",
        text: ####"""
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f5fbf"/><path d="M9 20.500v-7a7 7 0 0 1 14 0v7l2 2H7zM14 25.500h4" fill="none" stroke="#fff" stroke-width="2" stroke-linejoin="round" stroke-linecap="round"/></svg>
"""####),
        PageFile(
        name: "journal.js",
        text: ####"""
// The rows of the notification list: what each row holds, and how new, older and missed notifications are added.

import { call, callText } from "./api.js";
import { elementSources, memberSource } from "./json.js";
import { cut } from "./text.js";

/** The maximum number of rows; a row takes a few hundred bytes. */
export const maximumRows = 100_000;
const pageSize = 200;
/** How many pages are read to close a gap before the list is reloaded. */
const maximumPages = 5;

/** The text of a notification in one line. */
export function summary(payload) {
  if (payload === null || typeof payload !== "object") return "";
  const aps = payload.aps !== null && typeof payload.aps === "object" ? payload.aps : {};
  const { alert } = aps;
  if (typeof alert === "string") return cut(alert, 160);
  if (alert !== null && typeof alert === "object") {
    const texts = [alert.title ?? alert["title-loc-key"], alert.subtitle, alert.body ?? alert["loc-key"]];
    const found = texts.filter((text) => typeof text === "string" && text !== "");
    if (found.length > 0) return cut(found.join(" · "), 160);
  }
  if (typeof aps.event === "string") return `Live Activity: ${cut(aps.event, 40)}`;
  const own = Object.keys(payload).filter((key) => key !== "aps");
  const kind = aps["content-available"] === 1 ? "silent" : "";
  return cut([kind, own.join(", ")].filter((text) => text !== "").join(": "), 160);
}

function row(entry) {
  const findings = entry.findings ?? [];
  return {
    id: entry["apns-unique-id"],
    time: entry.received,
    outcome: entry.outcome,
    status: entry.status,
    reason: entry.reason,
    stage: entry.stage ?? "",
    request: entry.request ?? "",
    type: entry["apns-push-type"] ?? "",
    topic: entry["apns-topic"] ?? "",
    to: entry.token ?? entry["apns-channel-id"] ?? "",
    errors: findings.filter((finding) => finding.severity === "error").length,
    warnings: findings.filter((finding) => finding.severity === "warning").length,
    text: summary(entry.payload ?? null),
  };
}

/** The journal as the list shows it: newest first, filtered by the gateway. */
export class Journal {
  /** Oldest first, so that new rows are appended. */
  #rows = [];
  #byID = new Map();
  #next = null;
  #loading = false;
  #generation = 0;
  #filter = {};
  /** How often the event stream was interrupted, and how many of these gaps are closed. */
  #gaps = 0;
  #closedGaps = 0;
  /** How many entries of the gateway's journal match the filter. */
  total = 0;
  /** Whether rows of late events may be above newer ones. */
  isUnsure = false;
  /** Whether older rows were dropped, because there are too many. */
  isCutOff = false;
  /** Called with the number of rows that were added at the top. */
  onChange = () => {};

  get count() {
    return this.#rows.length;
  }

  get isFiltered() {
    return Object.keys(this.#filter).length > 0;
  }

  /**
   * Whether events were missed and not read yet. New ones are not added until then: `catchUp` looks for the rows from
   * before the gap, and a row that came after it does not show that the gateway still has those.
   */
  get isBehind() {
    return this.#closedGaps < this.#gaps;
  }

  get hasMore() {
    return this.#next !== null;
  }

  /** Counted from the newest. */
  at(index) {
    return this.#rows[this.#rows.length - 1 - index];
  }

  /** -1 if it is not in the list. Rows are numbered without gaps. */
  indexOf(id) {
    const found = this.#byID.get(id);
    return found === undefined ? -1 : this.#rows.length - 1 - (found.order - this.#rows[0].order);
  }

  get(id) {
    return this.#byID.get(id);
  }

  /** Reloads the list with this filter, whose keys are query parameters of the API. */
  async setFilter(filter) {
    this.#filter = filter;
    await this.reload();
  }

  async reload() {
    this.#generation += 1;
    const generation = this.#generation;
    const gaps = this.#gaps;
    const page = await this.#page(null);
    if (generation !== this.#generation) return;
    this.#closedGaps = gaps;
    this.#clear();
    this.#takeNewest(page.notifications);
    this.#next = page.next;
    this.total = page.total;
    this.onChange(0);
  }

  clear() {
    this.#generation += 1;
    this.#clear();
    this.onChange(0);
  }

  #clear() {
    this.#rows = [];
    this.#byID.clear();
    this.#next = null;
    this.total = 0;
    this.isCutOff = false;
  }

  /** The event stream was interrupted; `catchUp` reads what was missed. */
  interrupted() {
    this.#gaps += 1;
  }

  /** Adds a notification that was just judged; only for a list without a filter that is not behind. */
  push(entry) {
    if (this.#byID.has(entry["apns-unique-id"])) return 0;
    this.#append(row(entry));
    this.total += 1;
    return 1;
  }

  /** Something happened to a notification; returns whether it is in the list. */
  stage(id, stage) {
    const found = this.#byID.get(id);
    if (found === undefined) return false;
    found.stage = stage;
    return true;
  }

  /** Reads everything newer than the newest row. */
  async catchUp() {
    const generation = this.#generation;
    const gaps = this.#gaps;
    const pages = [];
    let cursor = null;
    for (let count = 0; count < maximumPages; count += 1) {
      const page = await this.#page(cursor);
      if (generation !== this.#generation) return;
      pages.push(page);
      const known = page.notifications.findIndex((entry) => this.#byID.has(entry["apns-unique-id"]));
      if (known >= 0 || page.next === null) {
        if (known < 0 && this.#rows.length > 0) this.#clear();
        this.#catchUpWith(pages, gaps);
        return;
      }
      cursor = page.next;
    }
    // Too far behind: the rows in between are read when the user scrolls there.
    this.#clear();
    this.#next = pages.at(-1).next;
    this.#catchUpWith(pages, gaps);
  }

  #catchUpWith(pages, gaps) {
    this.#closedGaps = gaps;
    const before = this.#rows.length;
    this.#takeNewest(pages.flatMap((page) => page.notifications));
    this.total = pages[0].total;
    // Events that arrived before these pages, or arrive later, may be older or newer than what was read.
    this.isUnsure = true;
    this.onChange(this.#rows.length - before);
  }

  /** Reloads the list if the newest row is not the gateway's newest. Called when no event has come for a while. */
  async verify() {
    if (!this.isUnsure) return;
    const generation = this.#generation;
    const page = await this.#page(null, 1);
    if (generation !== this.#generation) return;
    this.isUnsure = false;
    if (page.notifications[0]?.["apns-unique-id"] !== this.at(0)?.id) await this.reload();
  }

  /** Takes entries, newest first; existing rows are updated. */
  #takeNewest(entries) {
    for (const entry of entries.toReversed()) {
      const known = this.#byID.get(entry["apns-unique-id"]);
      if (known === undefined) this.#append(row(entry));
      else known.stage = entry.stage ?? known.stage;
    }
  }

  #append(added) {
    added.order = this.#rows.length === 0 ? 0 : this.#rows.at(-1).order + 1;
    this.#rows.push(added);
    this.#byID.set(added.id, added);
    // Removed in batches, because each removal moves the whole list.
    if (this.#rows.length < maximumRows + maximumRows / 10) return;
    for (const gone of this.#rows.splice(0, this.#rows.length - maximumRows)) this.#byID.delete(gone.id);
    this.#next = null;
    this.isCutOff = true;
  }

  /** Reads the next older page, if there is one. */
  async loadOlder() {
    if (this.#next === null || this.#loading || this.#rows.length >= maximumRows) return;
    this.#loading = true;
    const generation = this.#generation;
    try {
      const page = await this.#page(this.#next);
      if (generation !== this.#generation) return;
      const unknown = page.notifications.filter((entry) => !this.#byID.has(entry["apns-unique-id"]));
      const older = unknown.map(row).toReversed();
      const first = this.#rows[0]?.order ?? 0;
      for (const [index, added] of older.entries()) {
        added.order = first - older.length + index;
        this.#byID.set(added.id, added);
      }
      this.#rows = older.concat(this.#rows);
      this.#next = page.next;
      this.onChange(0);
    } finally {
      this.#loading = false;
    }
  }

  async #page(cursor, limit = pageSize) {
    return call("GET", this.#address(cursor, limit));
  }

  #address(cursor, limit) {
    const query = new URLSearchParams({ ...this.#filter, limit });
    if (cursor !== null) query.set("cursor", cursor);
    return `/notifications?${query}`;
  }

  /**
   * The newest `maximum` entries that match the filter as JSON texts, so that numbers keep their digits. What is newer
   * than the newest row, as while the list is paused, is left out.
   */
  async sources(maximum) {
    const found = [];
    const newest = this.at(0)?.id;
    let isReached = newest === undefined;
    for (let cursor = null; found.length < maximum; ) {
      const text = await callText("GET", this.#address(cursor, 1000));
      const page = JSON.parse(text);
      const ids = page.notifications.map((entry) => entry["apns-unique-id"]);
      const first = isReached ? 0 : ids.indexOf(newest);
      isReached ||= first >= 0;
      if (isReached) found.push(...elementSources(memberSource(text, "notifications")).slice(first));
      if (page.next === null) break;
      cursor = page.next;
    }
    return found.slice(0, maximum);
  }
}
"""####),
        PageFile(
        name: "json.js",
        text: ####"""
// Reads JSON without converting values, so that a number keeps its digits and a repeated key appears twice.

/** Where a value begins and ends in `text`, from `start` on. */
function valueEnd(text, start) {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      at = stringEnd(text, at) - 1;
      if (depth === 0) return at + 1;
    } else if (character === "{" || character === "[") {
      depth += 1;
    } else if (character === "}" || character === "]") {
      depth -= 1;
      if (depth === 0) return at + 1;
      if (depth < 0) return at;
    } else if (depth === 0 && (character === "," || /\s/.test(character))) {
      return at;
    }
  }
  return text.length;
}

function stringEnd(text, start) {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

/** The source of a member of the object in `text`; null if it does not exist. */
export function memberSource(text, key) {
  let at = text.indexOf("{") + 1;
  while (at > 0 && at < text.length) {
    while (at < text.length && text[at] !== '"') at += 1;
    if (at >= text.length) return null;
    const keyEnd = stringEnd(text, at);
    const found = text.slice(at, keyEnd);
    at = text.indexOf(":", keyEnd) + 1;
    while (/\s/.test(text[at] ?? "")) at += 1;
    const end = valueEnd(text, at);
    if (found === JSON.stringify(key)) return text.slice(at, end);
    at = end + 1;
  }
  return null;
}

/** The sources of the elements of the array in `text`. */
export function elementSources(text) {
  const sources = [];
  let at = text.indexOf("[") + 1;
  while (at > 0 && at < text.length) {
    while (/[\s,]/.test(text[at] ?? "")) at += 1;
    if (at >= text.length || text[at] === "]") break;
    const end = valueEnd(text, at);
    sources.push(text.slice(at, end));
    at = end;
  }
  return sources;
}

const escaped = (key) => key.replaceAll("~", "~0").replaceAll("/", "~1");

function keyOf(source) {
  try {
    return JSON.parse(source);
  } catch {
    return source.slice(1, -1);
  }
}

/**
 * The lines of a JSON text, one for each value: its depth, its parts as `{kind, text}`, and the JSON pointer of the
 * value that begins there (null on a line that only closes one). The text must be JSON.
 */
export function prettyLines(text) {
  const lines = [];
  const stack = [];
  let line = null;
  const begin = (pointer) => {
    line = { depth: stack.length, parts: [], pointer };
    lines.push(line);
  };
  const add = (kind, source) => line.parts.push({ kind, text: source });
  const pointer = () => {
    const top = stack.at(-1);
    return top === undefined ? "" : `${top.pointer}/${top.isArray ? top.index : escaped(top.key)}`;
  };
  let at = 0;
  let isAfterKey = false;
  while (at < text.length) {
    const character = text[at];
    if (/\s/.test(character)) {
      at += 1;
      continue;
    }
    const top = stack.at(-1);
    if (character === "," || character === ":") {
      add("mark", character === ":" ? ": " : ",");
      if (character === ",") {
        if (top?.isArray) top.index += 1;
        isAfterKey = false;
      } else {
        isAfterKey = true;
      }
      at += 1;
      continue;
    }
    if (character === "}" || character === "]") {
      const closed = stack.pop();
      if (closed !== undefined && !closed.isEmpty) begin(null);
      add("mark", character);
      at += 1;
      continue;
    }
    const isKey = top !== undefined && !top.isArray && !isAfterKey;
    if (top !== undefined) top.isEmpty = false;
    if (isKey) {
      const end = stringEnd(text, at);
      top.key = keyOf(text.slice(at, end));
      begin(pointer());
      add("key", text.slice(at, end));
      at = end;
      continue;
    }
    if (line === null || top?.isArray) begin(pointer());
    isAfterKey = false;
    if (character === "{" || character === "[") {
      const own = pointer();
      add("mark", character);
      stack.push({ isArray: character === "[", pointer: own, index: 0, key: "", isEmpty: true });
      at += 1;
      continue;
    }
    const end = character === '"' ? stringEnd(text, at) : scalarEnd(text, at);
    add(character === '"' ? "string" : /[-\d]/.test(character) ? "number" : "word", text.slice(at, end));
    at = end;
  }
  return lines;
}

function scalarEnd(text, start) {
  let at = start;
  while (at < text.length && !/[\s,\]}]/.test(text[at])) at += 1;
  return Math.max(at, start + 1);
}

/** The base64 of a string's UTF-8. */
export function base64(text) {
  let binary = "";
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** Decodes base64 to a string, with a replacement character for each byte that is not UTF-8. */
export function textOfBase64(text) {
  return new TextDecoder().decode(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
}
"""####),
        PageFile(
        name: "keys.js",
        text: ####"""
// Keys for the whole page, and the dialog that lists them.

import { byId } from "./dom.js";

/** Set in the session storage of the tab where single keys are off: speech input may type them by chance. */
const storageKey = "apns-keys";

const isOff = () => sessionStorage.getItem(storageKey) !== null;

/** Whether a key that is pressed on an element may be text. */
const takesText = (element) =>
  element.closest?.("textarea, select, [contenteditable], input:not([type='checkbox'], [type='radio'])") ?? null;

function search() {
  const field = byId("filter-q");
  const focus = () => {
    field.focus();
    field.select();
  };
  if (field.checkVisibility()) {
    focus();
    return;
  }
  // After the router, which focuses the title of the view.
  window.addEventListener("hashchange", focus, { once: true });
  location.hash = "#/notifications";
}

function showKeys() {
  byId("keys-on").checked = !isOff();
  byId("keys-dialog").showModal();
}

export function startKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isOff() || takesText(event.target) !== null || document.querySelector("dialog[open]") !== null) return;
    if (event.key !== "/" && event.key !== "?") return;
    event.preventDefault();
    if (event.key === "/") search();
    else showKeys();
  });
  byId("keys-open").addEventListener("click", showKeys);
  byId("keys-close").addEventListener("click", () => byId("keys-dialog").close());
  byId("keys-on").addEventListener("change", (event) => {
    if (event.target.checked) sessionStorage.removeItem(storageKey);
    else sessionStorage.setItem(storageKey, "off");
  });
}
"""####),
        PageFile(
        name: "list.js",
        text: ####"""
// A list of any length; only the visible rows are in the document.
//
// The keyboard focus stays on the list itself, whatever is added; aria-activedescendant names the active row.

import { h } from "./dom.js";

const margin = 6;

export class VirtualList {
  #box;
  #spacer;
  #rowHeight = 0;
  #rows = new Map();
  #spare = [];
  #isDrawn = true;
  #countOf;
  #rowAt;
  #idAt;
  #indexOf;
  #draw;
  #onActive;
  #onOpen;
  #onEnd;
  #active = null;

  /**
   * `box` is the element that scrolls. `count()` is the number of rows, `make` gives an empty row, `draw(row, index)`
   * fills it, `idAt(index)` is the stable id of what stands there and `indexOf(id)` its place (-1 for none).
   * `onActive(id)` hears that the active row changed, `onOpen(id, isByKey)` that it was chosen, `onEnd` that the last
   * rows are in sight.
   */
  constructor(box, { count, make, draw, idAt, indexOf, onActive, onOpen, onEnd }) {
    this.#box = box;
    this.#countOf = count;
    this.#rowAt = make;
    this.#draw = draw;
    this.#idAt = idAt;
    this.#indexOf = indexOf;
    this.#onActive = onActive;
    this.#onOpen = onOpen;
    this.#onEnd = onEnd;
    this.#spacer = h("div", { class: "spacer", role: "presentation" });
    box.append(this.#spacer);
    box.addEventListener("scroll", () => this.refresh(), { passive: true });
    box.addEventListener("keydown", (event) => this.#key(event));
    box.addEventListener("click", (event) => this.#click(event));
    new ResizeObserver(() => {
      this.#rowHeight = 0;
      this.refresh();
    }).observe(box);
  }

  get active() {
    return this.#active;
  }

  /** Whether the newest rows are visible. */
  get isAtTop() {
    return this.#box.scrollTop < this.#height / 2;
  }

  get #height() {
    if (this.#rowHeight === 0) {
      this.#rowHeight = parseFloat(getComputedStyle(this.#box).getPropertyValue("--row")) || 36;
    }
    return this.#rowHeight;
  }

  /** The rows have changed; `added` are new at the top since the last call. */
  update(added = 0) {
    const isAnchored = added > 0 && !this.isAtTop;
    this.#spacer.style.height = `${this.#countOf() * this.#height}px`;
    if (isAnchored) this.#box.scrollTop += added * this.#height;
    this.refresh();
  }

  /** Draws once before the next frame, however often it is called. */
  refresh() {
    if (!this.#isDrawn) return;
    this.#isDrawn = false;
    requestAnimationFrame(() => this.#paint());
  }

  setActive(id) {
    this.#active = id;
    this.refresh();
  }

  scrollToTop() {
    this.#box.scrollTop = 0;
    this.refresh();
  }

  reveal(id) {
    const index = this.#indexOf(id);
    if (index < 0) return;
    const [top, height] = [index * this.#height, this.#height];
    const { scrollTop, clientHeight } = this.#box;
    if (top < scrollTop) this.#box.scrollTop = top;
    else if (top + height > scrollTop + clientHeight) this.#box.scrollTop = top + height - clientHeight;
    this.refresh();
  }

  #paint() {
    this.#isDrawn = true;
    const height = this.#height;
    // Rows may have gone since this was planned.
    const count = this.#countOf();
    this.#spacer.style.height = `${count * height}px`;
    const first = Math.max(0, Math.floor(this.#box.scrollTop / height) - margin);
    const last = Math.min(count, Math.ceil((this.#box.scrollTop + this.#box.clientHeight) / height) + margin);
    const wanted = new Map();
    for (let index = first; index < last; index += 1) wanted.set(this.#idAt(index), index);
    for (const [id, row] of this.#rows) {
      if (wanted.has(id)) continue;
      this.#rows.delete(id);
      this.#spare.push(row);
    }
    for (const [id, index] of wanted) {
      let row = this.#rows.get(id);
      if (row === undefined) {
        row = this.#spare.pop() ?? this.#rowAt();
        row.id = `row-${id}`;
        row.dataset.id = id;
        this.#rows.set(id, row);
      }
      row.style.transform = `translateY(${index * height}px)`;
      row.setAttribute("aria-setsize", count);
      row.setAttribute("aria-posinset", index + 1);
      row.setAttribute("aria-selected", id === this.#active);
      this.#draw(row, index);
    }
    for (const row of this.#spare) row.remove();
    this.#spare = [];
    // A screen reader reads the rows in the order of the document.
    let place = this.#spacer.firstElementChild;
    for (const id of wanted.keys()) {
      const row = this.#rows.get(id);
      if (row === place) place = place.nextElementSibling;
      else this.#spacer.insertBefore(row, place);
    }
    if (this.#active !== null && this.#rows.has(this.#active)) {
      this.#box.setAttribute("aria-activedescendant", `row-${this.#active}`);
    } else {
      this.#box.removeAttribute("aria-activedescendant");
    }
    if (last >= count && count > 0) this.#onEnd();
  }

  #key(event) {
    const count = this.#countOf();
    if (event.altKey || event.ctrlKey || event.metaKey || count === 0) return;
    const page = Math.max(1, Math.floor(this.#box.clientHeight / this.#height) - 1);
    const now = this.#active === null ? -1 : this.#indexOf(this.#active);
    const steps = {
      ArrowDown: now + 1,
      ArrowUp: now - 1,
      PageDown: now + page,
      PageUp: now - page,
      Home: 0,
      End: Infinity,
    };
    if (event.key in steps) {
      event.preventDefault();
      const index = Math.min(Math.max(0, steps[event.key]), count - 1);
      this.#active = this.#idAt(index);
      this.reveal(this.#active);
      this.#onActive(this.#active);
    } else if ((event.key === "Enter" || event.key === " ") && now >= 0) {
      event.preventDefault();
      this.#onOpen(this.#active, true);
    }
  }

  #click(event) {
    const id = event.target.closest("[data-id]")?.dataset.id;
    if (id === undefined) return;
    this.setActive(id);
    this.#onOpen(id, false);
  }
}
"""####),
        PageFile(
        name: "main.js",
        text: ####"""
// Starts the page: the choice of view, the connection to the gateway, the control token.

import { call, follow, keepToken, onTokenWanted, world } from "./api.js";
import { loadBudgets, settingsEvent, startBudgets } from "./budgets.js";
import { loadRegistry, registryEvent } from "./channels.js";
import { clockEvent, loadClock, startClock } from "./clock.js";
import { composeEnvelope, composeFor, startCompose, startForm } from "./compose.js";
import {
  deviceEvent, devicesMissed, loadDevices, lookAtDevices, revealDevice, setDeviceTime, startDevices,
} from "./devices.js";
import { announce, byId, confirm, h, replace, setText, toast } from "./dom.js";
import { faultEvent, loadFaults, startFaults } from "./faults.js";
import { startKeys } from "./keys.js";
import {
  loadNotifications, notificationEvent, notificationsMissed, openNotification, startNotifications,
} from "./notifications.js";
import { plain } from "./text.js";

const views = {
  notifications: "Notifications",
  devices: "Devices",
  send: "Send",
  faults: "Faults",
  clock: "Clock",
  channels: "Channels",
};

let view = "";

/** The view that the address names, and the item in it. */
function route() {
  const [name, item] = location.hash.replace(/^#\/?/, "").split("/");
  let decoded = null;
  try {
    decoded = item === undefined || item === "" ? null : decodeURIComponent(item);
  } catch {
    decoded = item;
  }
  return { name: name in views ? name : "notifications", item: decoded };
}

async function follows(isFirst = false) {
  const { name, item } = route();
  const isOther = name !== view;
  view = name;
  for (const key of Object.keys(views)) {
    byId(`view-${key}`).hidden = key !== name;
    const link = byId(`nav-${key}`);
    if (key === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (isOther) byId(`nav-${name}`).scrollIntoView({ block: "nearest", inline: "nearest" });
  document.title = `${views[name]} · ${world === null ? "APNs gateway" : plain(world)}`;
  if (isOther && !isFirst) {
    byId(`${name}-title`).focus();
    window.scrollTo(0, 0);
  }
  if (name === "notifications") await openNotification(item);
  else if (name === "devices") {
    await guarded(loadDevices);
    if (item !== null) revealDevice(item);
  } else if (name === "faults") await guarded(loadFaults);
  else if (name === "clock") await guarded(() => Promise.all([loadClock(), loadBudgets()]));
  else if (name === "channels") await guarded(loadRegistry);
  else if (name === "send") {
    if (item === null) await startForm();
    else await composeFor(item);
  }
}

async function guarded(work) {
  try {
    await work();
  } catch (error) {
    toast(error.message, "bad");
  }
}

const states = {
  connecting: "Connecting",
  connected: "Live",
  broken: "Reconnecting",
  refused: "Refused",
};
let isCutOff = false;
let brokenSince = null;
let whenBroken = 0;

function showState(state, why) {
  const box = byId("connection");
  if (state === "connected") {
    clearTimeout(whenBroken);
    if (isCutOff) {
      notificationsMissed();
      devicesMissed();
      faultEvent();
      guarded(loadClock);
      if (brokenSince !== null && performance.now() - brokenSince > 1500) announce("The gateway answers again");
    }
    isCutOff = false;
    brokenSince = null;
    box.dataset.state = state;
    setText(byId("connection-text"), states[state]);
    return;
  }
  if (state === "broken") isCutOff = true;
  if (state === "connecting" && isCutOff) return;
  brokenSince ??= performance.now();
  // A listener that falls behind is disconnected and reconnects at once; that is not shown.
  clearTimeout(whenBroken);
  whenBroken = setTimeout(
    () => {
      box.dataset.state = state;
      setText(byId("connection-text"), states[state]);
      if (state === "broken") announce("The gateway does not answer; trying again");
      if (state === "refused") toast(why, "bad");
    },
    state === "broken" ? 1000 : 0,
  );
}

const registryNames = new Set(["app", "key", "reset"]);

function onEvent(name, data) {
  if (name === "settings") return settingsEvent(data);
  if (name.startsWith("world-")) return guarded(loadWorlds);
  if (name === "clock") clockEvent(data);
  else if (name.startsWith("fault-")) faultEvent();
  else if (!name.startsWith("device-") && name !== "app" && name !== "key") notificationEvent(name, data);
  if (name.startsWith("device-") || view === "devices") {
    if (name !== "clock" && !name.startsWith("fault-") && name !== "journal-emptied") deviceEvent(name, data);
  }
  if (view === "faults" && name === "notification") faultEvent();
  if (registryNames.has(name) || view === "channels") registryEvent();
  if (name === "reset") {
    guarded(() => Promise.all([loadClock(), loadBudgets()]));
    faultEvent();
  }
}

/** Asks for the control token; the caller waits for it. */
function startToken() {
  const dialog = byId("token-dialog");
  let waiting = [];
  onTokenWanted((wasWrong) => {
    setText(byId("token-problem"), wasWrong ? "The gateway does not accept this token." : "");
    if (!dialog.open) dialog.showModal();
    return new Promise((resolve) => waiting.push(resolve));
  });
  dialog.addEventListener("cancel", (event) => event.preventDefault());
  byId("token-form").addEventListener("submit", (event) => {
    event.preventDefault();
    keepToken(byId("token").value);
    byId("token").value = "";
    dialog.close();
    const resolved = waiting;
    waiting = [];
    for (const resolve of resolved) resolve();
  });
}

/** The default world. */
const standardWorld = "default";

/** Lists the worlds; a single one needs no selection. */
async function loadWorlds() {
  const { worlds } = await call("GET", "/worlds?limit=1000", undefined, { isOfGateway: true });
  const names = new Set([standardWorld, ...worlds.map((one) => one.name), world ?? standardWorld]);
  const choice = byId("world");
  choice.hidden = names.size < 2;
  if (choice.options.length === names.size) return;
  replace(choice, ...[...names].map((name) => h("option", { value: name }, name)));
  choice.value = world ?? standardWorld;
}

function startWorlds() {
  const choice = byId("world");
  choice.addEventListener("focus", () => guarded(loadWorlds));
  choice.addEventListener("change", () => {
    const path = choice.value === standardWorld ? "/" : `/w/${encodeURIComponent(choice.value)}`;
    location.assign(path + location.hash.split("/").slice(0, 2).join("/"));
  });
  guarded(loadWorlds);
}

function start() {
  startToken();
  startWorlds();
  startNotifications({
    onOpen: (id, { isStep, takesFocus }) => {
      const hash = id === null ? "#/notifications" : `#/notifications/${encodeURIComponent(id)}`;
      if (location.hash !== hash) history[isStep ? "pushState" : "replaceState"](null, "", hash);
      guarded(() => openNotification(id));
      if (takesFocus) byId("detail-title").focus();
    },
    onSendAgain: (envelope) => {
      composeEnvelope(envelope);
      location.hash = "#/send";
    },
  });
  startDevices();
  startFaults();
  startClock({ onTime: setDeviceTime });
  startBudgets();
  startCompose();
  startKeys();
  byId("reset").addEventListener("click", async () => {
    const question = "Reset everything to the initial state? This includes journal, devices, faults and clock.";
    if (!(await confirm(question, "Reset"))) return;
    await guarded(async () => {
      await call("POST", "/reset");
      toast("The gateway was reset");
    });
  });
  byId("confirm-dialog").addEventListener("click", (event) => {
    const value = event.target.closest("button")?.value;
    if (value !== undefined) byId("confirm-dialog").close(value);
  });
  window.addEventListener("hashchange", () => follows());
  setInterval(lookAtDevices, 5000);
  guarded(loadClock);
  guarded(loadNotifications).then(() => follows(true));
  guarded(loadFaults);
  follow("/events", { signal: new AbortController().signal, onState: showState, onEvent, awaits: true });
}

start();
"""####),
        PageFile(
        name: "notifications.js",
        text: ####"""
// The list of notifications with its filter, and the counts above it.

import { call } from "./api.js";
import { RateChart, seconds } from "./chart.js";
import { curl, sendCommand, showExample } from "./commands.js";
import { refreshDetail, showNotification, shownNotification, startDetail } from "./detail.js";
import { announce, byId, confirm, h, icon, save, setText, settled, throttled, toast } from "./dom.js";
import { Journal } from "./journal.js";
import { VirtualList } from "./list.js";
import { clockTime, count, counted, plain, shortToken, shown } from "./text.js";

const journal = new Journal();
let list;
let isPaused = false;
let missed = 0;
let unread = 0;
let news = { count: 0, refused: 0 };

const marks = { accepted: "check", refused: "cross", unprocessed: "warning" };

/** Navigates to a notification; set by the router. */
let go = () => {};

const isWide = () => matchMedia("(min-width: 60rem)").matches;

function makeRow() {
  const row = h("div", { class: "row", role: "option" });
  for (const name of ["time", "mark", "status", "type", "topic", "to", "text", "stage"]) {
    row.append(h("span", { class: `cell ${name}` }));
  }
  return row;
}

function drawRow(row, index) {
  const entry = journal.at(index);
  const key = `${entry.id} ${entry.stage}`;
  if (row.dataset.drawn === key) return;
  row.dataset.drawn = key;
  row.className = `row ${entry.outcome}`;
  const [time, mark, status, type, topic, to, text, stage] = row.children;
  setText(time, clockTime(entry.time));
  mark.replaceChildren(icon(marks[entry.outcome] ?? "info"));
  setText(status, entry.status === null ? entry.outcome : `${entry.outcome} ${entry.status}`);
  type.replaceChildren(...shown(entry.type || entry.request.replaceAll("-", " ") || "no push type"));
  topic.replaceChildren(...shown(entry.topic || "no topic"));
  setText(to, entry.to === "" ? "no device" : shortToken(entry.to));
  const findings = entry.errors + entry.warnings;
  text.replaceChildren(
    ...(entry.reason === null ? [] : [h("code", {}, ...shown(entry.reason)), " "]),
    ...(findings === 0
      ? []
      : [h("span", { class: entry.errors > 0 ? "badge error" : "badge warning" }, counted(findings, "finding")), " "]),
    ...shown(entry.text.replaceAll(/\s+/g, " ")),
  );
  setText(stage, entry.stage);
  stage.className = `cell stage stage-${entry.stage}`;
}

function filterOfForm() {
  const filter = {};
  for (const [name, value] of new FormData(byId("filter"))) {
    if (value.trim() !== "") filter[name] = value.trim();
  }
  return filter;
}

async function applyFilter() {
  setText(byId("filter-problem"), "");
  const filter = filterOfForm();
  byId("filter-clear").hidden = Object.keys(filter).length === 0;
  const more = ["reason", "topic", "token", "push-type", "collapse-id", "apns-id", "channel-id", "request", "since"];
  const inUse = more.filter((name) => name in filter).length;
  setText(byId("filter-more-count"), inUse === 0 ? "" : ` (${inUse})`);
  try {
    await journal.setFilter(filter);
    list.scrollToTop();
    announce(`${counted(journal.total, "notification")} found`);
  } catch (error) {
    setText(byId("filter-problem"), error.message);
  }
}

function drawState() {
  const isEmpty = journal.count === 0;
  if (!isEmpty) hasExample = false;
  else if (!hasExample) drawExample();
  byId("list-empty").hidden = !isEmpty;
  setText(
    byId("list-empty-text"),
    journal.isFiltered ? "Nothing in the journal matches the filter." : "Nothing has been sent yet.",
  );
  byId("list-empty-help").hidden = journal.isFiltered;
  byId("export").hidden = isEmpty;
  const loaded = count(journal.count);
  setText(
    byId("list-state"),
    isEmpty
      ? ""
      : journal.isFiltered
        ? `${counted(journal.total, "match", "matches")}`
        : journal.isCutOff
          ? `the newest ${loaded}; a filter finds older ones`
          : `${loaded}${journal.hasMore ? " loaded, more below" : " in the list"}`,
  );
  const waiting = isPaused ? missed : unread;
  const button = byId("list-new");
  button.hidden = waiting === 0 || (!isPaused && list.isAtTop);
  setText(button, isPaused ? `${count(waiting)} came in while paused` : `${count(waiting)} new above`);
}

/** What to send to while no device is registered. */
const exampleToken = "ab12".repeat(16);

let hasExample = false;

/** Shows the commands that send a first notification. */
async function drawExample() {
  hasExample = true;
  let [token, topic] = [exampleToken, "com.example.agent"];
  try {
    const [{ devices }, { apps }] = await Promise.all([call("GET", "/devices?limit=1"), call("GET", "/apps")]);
    token = devices[0]?.token ?? token;
    topic = devices[0]?.topic ?? apps[0]?.topic ?? topic;
  } catch {
    // The example works for a gateway with its usual settings.
  }
  const envelope = JSON.stringify({
    token, "apns-topic": topic, "apns-push-type": "alert", payload: { aps: { alert: "Hello" } },
  });
  showExample("list-commands", sendCommand(envelope, true), curl("/notifications", envelope));
}

/** How many notifications an export has at most. */
const maximumExport = 10_000;

async function exportShown() {
  try {
    const lines = await journal.sources(maximumExport);
    const name = `notifications-${new Date().toISOString().slice(0, 19).replaceAll(":", "")}.ndjson`;
    save(name, lines.map((line) => line + "\n"), "application/x-ndjson");
    toast(`${counted(lines.length, "notification")} exported${lines.length === maximumExport ? ", the newest" : ""}`);
  } catch (error) {
    toast(error.message, "bad");
  }
}

const catchUp = throttled(800, () => journal.catchUp().catch(() => {}));
const verify = settled(1000, () => journal.verify().catch(() => {}));

const tellNews = throttled(8000, async () => {
  const { count: total, refused } = news;
  news = { count: 0, refused: 0 };
  if (total === 0 || byId("view-notifications").hidden) return;
  announce(`${counted(total, "new notification")}${refused > 0 ? `, ${count(refused)} refused` : ""}`);
});

/** An event of the gateway. `data` is its text, parsed only if needed. */
export function notificationEvent(name, data) {
  if (name === "notification") {
    missed += isPaused ? 1 : 0;
    const entry = isPaused || journal.isFiltered || journal.isBehind ? null : JSON.parse(data);
    news.count += 1;
    if (entry?.outcome === "refused") news.refused += 1;
    tellNews();
    if (entry !== null) {
      const added = journal.push(entry);
      pending += added;
      redraw();
      if (journal.isUnsure) verify();
    } else if (!isPaused) {
      catchUp();
    } else {
      redraw();
    }
    return;
  }
  if (name === "journal-emptied" || name === "reset") {
    journal.clear();
    showNotification(null);
    return;
  }
  const life = JSON.parse(data);
  if (life["apns-unique-id"] === undefined) return;
  if (journal.stage(life["apns-unique-id"], life.stage)) redraw();
  if (life["apns-unique-id"] === shownNotification()) refreshDetail();
}

let pending = 0;
let isDrawing = false;

/** Shows what was received since the last frame. */
function redraw() {
  if (isDrawing) return;
  isDrawing = true;
  requestAnimationFrame(() => {
    isDrawing = false;
    if (!list.isAtTop) unread += pending;
    list.update(pending);
    pending = 0;
    drawState();
  });
}

/** The event stream was interrupted. */
export function notificationsMissed() {
  journal.interrupted();
  if (!isPaused) catchUp();
  if (shownNotification() !== null) refreshDetail();
}

/** Shows the notification with this id, or none. */
export async function openNotification(id) {
  list.setActive(id);
  if (id !== null) list.reveal(id);
  await showNotification(id);
}

export function startNotifications({ onOpen, onSendAgain }) {
  go = onOpen;
  const box = byId("list");
  list = new VirtualList(box, {
    count: () => journal.count,
    make: makeRow,
    draw: drawRow,
    idAt: (index) => journal.at(index).id,
    indexOf: (id) => journal.indexOf(id),
    // Wide screens show both; on a narrow one the detail would cover the list.
    onActive: settled(150, (id) => {
      if (isWide()) go(id, { isStep: false, takesFocus: false });
    }),
    onOpen: (id, isByKey) => go(id, { isStep: true, takesFocus: isByKey || !isWide() }),
    onEnd: () => journal.loadOlder().catch(() => {}),
  });
  journal.onChange = (added) => {
    pending += added;
    redraw();
    if (journal.isUnsure) verify();
  };
  box.addEventListener("scroll", () => {
    if (!list.isAtTop || unread === 0) return;
    unread = 0;
    drawState();
  });
  const filter = byId("filter");
  const search = settled(250, applyFilter);
  filter.addEventListener("input", search);
  filter.addEventListener("submit", (event) => {
    event.preventDefault();
    applyFilter();
  });
  byId("filter-clear").addEventListener("click", () => {
    filter.reset();
    byId("filter-q").focus();
    applyFilter();
  });
  byId("list-new").addEventListener("click", () => {
    if (isPaused) setPaused(false);
    list.scrollToTop();
    box.focus();
  });
  byId("pause").addEventListener("click", () => setPaused(!isPaused));
  byId("export").addEventListener("click", exportShown);
  byId("journal-empty").addEventListener("click", async () => {
    const question = "Empty the journal? All its entries are deleted; notifications that wait for devices stay.";
    if (!(await confirm(question, "Empty the journal"))) return;
    try {
      await call("DELETE", "/notifications");
      toast("The journal is empty");
    } catch (error) {
      toast(error.message, "bad");
    }
  });
  startDetail({
    onSendAgain,
    onClose: () => {
      go(null, { isStep: true, takesFocus: false });
      box.focus();
    },
  });
  const chart = new RateChart(byId("chart"), byId("chart-rows"));
  followCounts(chart);
}

function setPaused(value) {
  isPaused = value;
  missed = 0;
  const button = byId("pause");
  button.setAttribute("aria-pressed", value);
  setText(byId("pause-text"), value ? "Paused" : "Pause");
  if (!value) catchUp();
  drawState();
}

export async function loadNotifications() {
  try {
    await journal.reload();
  } finally {
    drawState();
  }
}

/**
 * Counts come from the gateway once a second, so that they are right however many events were missed. After a break,
 * and when the page opens, the chart begins with what the gateway has of the seconds before.
 */
function followCounts(chart) {
  let last = null;
  const read = async () => {
    if (!document.hidden && !byId("view-notifications").hidden) {
      try {
        const isFirst = last === null;
        const counts = await call("GET", isFirst ? `/counts?seconds=${seconds}` : "/counts");
        const refused = Object.values(counts.refused).reduce((sum, number) => sum + number, 0);
        const now = { accepted: counts.accepted, refused, unprocessed: counts.unprocessed, time: performance.now() };
        setText(byId("count-accepted"), count(now.accepted));
        setText(byId("count-refused"), count(now.refused));
        setText(byId("count-unprocessed"), count(now.unprocessed));
        drawReasons(counts.refused);
        if (isFirst) chart.restart(counts["per-second"]);
        else chart.add(last, now);
        setText(byId("count-rate"), chart.rateText);
        last = now;
      } catch {
        last = null;
      }
    } else {
      last = null;
    }
    setTimeout(read, 1000);
  };
  read();
}

function drawReasons(refused) {
  const top = Object.entries(refused)
    .sort((left, right) => right[1] - left[1])
    .slice(0, 3);
  setText(byId("count-reasons"), top.map(([reason, number]) => `${plain(reason)} ${count(number)}`).join(", "));
}
"""####),
        PageFile(
        name: "page.css",
        text: ####"""
/* The inspector page. Sizes are multiples of 4 px; colours are defined once, for light and for dark. */

:root {
  color-scheme: light dark;
  --ground: #f4f5f7;
  --surface: #ffffff;
  --raised: #ffffff;
  --sunken: #eef0f3;
  --line: #dcdfe4;
  --line-strong: #8a929e;
  --text: #1b1f24;
  --quiet: #59636e;
  --accent: #1f5fbf;
  --accent-text: #ffffff;
  --accent-soft: #e8f0fc;
  --good: #17703a;
  --good-soft: #e3f4e9;
  --good-fill: #3a9d62;
  --bad: #b3261e;
  --bad-soft: #fdebe9;
  --bad-fill: #d4483f;
  --warn: #875300;
  --warn-soft: #fdf3dc;
  --warn-fill: #d69a2d;
  --json-key: #0b4f79;
  --json-string: #1c6b3c;
  --json-number: #8a3d00;
  --json-word: #7a2f8f;
  --shadow: 0 1px 2px rgb(20 25 35 / 8%), 0 4px 16px rgb(20 25 35 / 10%);
  --radius: 8px;
  --mono: "JetBrains Mono", ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  --sans: "Inter", system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}

@media (prefers-color-scheme: dark) {
  :root {
    --ground: #101317;
    --surface: #171b20;
    --raised: #1e2329;
    --sunken: #12161a;
    --line: #2b323a;
    --line-strong: #6b7683;
    --text: #e4e8ed;
    --quiet: #9ba6b2;
    --accent: #7db2ff;
    --accent-text: #0b1c33;
    --accent-soft: #1b2a40;
    --good: #5fd08a;
    --good-soft: #14291d;
    --good-fill: #3f9e63;
    --bad: #ff8f86;
    --bad-soft: #331a19;
    --bad-fill: #d6544a;
    --warn: #eabd62;
    --warn-soft: #2e2512;
    --warn-fill: #c28a26;
    --json-key: #8cc7f5;
    --json-string: #86d6a1;
    --json-number: #f0b27d;
    --json-word: #d7a6ea;
    --shadow: 0 1px 2px rgb(0 0 0 / 40%), 0 6px 20px rgb(0 0 0 / 45%);
  }
}

*, *::before, *::after { box-sizing: border-box; }

html, body { height: 100%; }

body {
  margin: 0;
  display: flex;
  flex-direction: column;
  background: var(--ground);
  color: var(--text);
  font: 13px/20px var(--sans);
  font-feature-settings: "tnum", "cv05";
}

h1, h2, h3, h4, p, ul, ol, dl, dd, figure, fieldset { margin: 0; padding: 0; border: 0; }
h1, h2, h3, h4 { font-size: inherit; font-weight: 600; }
h2 { font-size: 18px; line-height: 24px; letter-spacing: -0.01em; }
ul, ol { list-style: none; }
[hidden] { display: none !important; }
code, pre, .digits { font-family: var(--mono); font-size: 12px; }
code { font-feature-settings: "calt" 0, "liga" 0; }
a { color: var(--accent); text-underline-offset: 2px; }
.quiet { color: var(--quiet); }
.problem { color: var(--bad); overflow-wrap: anywhere; }
.problem:empty { display: none; }

:focus { outline: none; }
:focus-visible, input[type="datetime-local"]:focus-within { outline: 2px solid var(--accent); outline-offset: 1px; }
/* The script focuses headings and the content when the view changes; they are not controls, so they show no outline. */
:is(h2, h3, main)[tabindex="-1"]:focus-visible { outline: none; }

.visually-hidden {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}

.skip {
  position: fixed;
  inset: 8px auto auto 8px;
  z-index: 20;
  padding: 8px 12px;
  border-radius: var(--radius);
  background: var(--accent);
  color: var(--accent-text);
  transform: translateY(-200%);
}
.skip:focus { transform: none; }

.sprite { display: none; }
.icon {
  width: 16px;
  height: 16px;
  flex: none;
  fill: none;
  stroke: currentcolor;
  stroke-width: 1.6;
  stroke-linecap: round;
  stroke-linejoin: round;
}

.hidden-character {
  padding: 0 3px;
  margin: 0 1px;
  border-radius: 3px;
  background: var(--warn-soft);
  color: var(--warn);
  font: 10px/14px var(--mono);
}

/* Controls */

button, .button, input, select, textarea {
  font: inherit;
  color: inherit;
  border: 1px solid var(--line-strong);
  border-radius: 6px;
  background: var(--surface);
}
button, .button {
  display: inline-flex;
  align-items: center;
  justify-content: center;
  gap: 6px;
  min-height: 28px;
  padding: 3px 10px;
  border-color: var(--line);
  background: var(--raised);
  font-weight: 500;
  text-decoration: none;
  color: var(--text);
  cursor: pointer;
  white-space: nowrap;
}
button:hover, .button:hover { border-color: var(--line-strong); }
button[aria-pressed="true"] { background: var(--warn-soft); border-color: var(--warn); color: var(--warn); }
button.primary, .button.primary { background: var(--accent); border-color: var(--accent); color: var(--accent-text); }
button.danger { color: var(--bad); }
dialog button.danger { background: var(--bad); border-color: var(--bad); color: var(--surface); }
button.link {
  display: inline-block;
  min-height: 24px;
  padding: 0 2px;
  border: 0;
  background: none;
  color: var(--quiet);
  font-weight: 400;
  text-decoration: underline;
  text-decoration-color: var(--line-strong);
  text-underline-offset: 2px;
}
button.link:hover { color: var(--text); }
input, select, textarea { min-height: 28px; padding: 3px 8px; min-width: 0; width: 100%; }
input::placeholder, textarea::placeholder { color: var(--quiet); opacity: 1; }
input[type="radio"], input[type="checkbox"] { width: auto; min-height: 0; accent-color: var(--accent); }
textarea { font: 12px/20px var(--mono); resize: vertical; padding: 6px 8px; }
:disabled { opacity: 0.55; cursor: default; }

.field { display: grid; gap: 4px; font-weight: 500; }
.field input, .field select, .field textarea { font-weight: 400; }
.fields { display: grid; gap: 12px; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; }
.triple { display: grid; grid-template-columns: 1fr 1fr 2fr; gap: 12px; }
.columns + section { margin-top: 24px; }
.budgets { display: grid; grid-template-columns: repeat(auto-fill, minmax(136px, 1fr)); gap: 12px; }
.inline { display: flex; gap: 8px; align-items: end; }
.inline .field { flex: 1; }
.buttons { display: flex; flex-wrap: wrap; gap: 8px; }
.center { justify-content: center; }
fieldset { display: grid; gap: 12px; min-width: 0; }
legend { font-weight: 600; margin-bottom: 8px; }
.choices label { display: flex; gap: 8px; align-items: center; }
.choices { gap: 4px; }

.panel {
  padding: 16px;
  border: 1px solid var(--line);
  border-radius: var(--radius);
  background: var(--surface);
  color: var(--text);
}
.panel[popover] { box-shadow: var(--shadow); margin: auto; inset: 0; width: min(360px, calc(100vw - 32px)); }
.panel[popover]:not(:popover-open) { display: none; }

.badge {
  display: inline-block;
  padding: 0 6px;
  border-radius: 8px;
  font-size: 11px;
  line-height: 16px;
  font-weight: 600;
  white-space: nowrap;
}
.badge.error { background: var(--bad-soft); color: var(--bad); }
.badge.warning { background: var(--warn-soft); color: var(--warn); }

.chip {
  display: inline-flex;
  align-items: center;
  gap: 6px;
  padding: 2px 10px;
  border: 1px solid var(--line);
  border-radius: 14px;
  background: var(--surface);
  color: var(--text);
  text-decoration: none;
  white-space: nowrap;
}
.chip.is-manual { border-color: var(--warn); color: var(--warn); background: var(--warn-soft); }
.dot { width: 8px; height: 8px; border-radius: 50%; background: var(--warn-fill); }
[data-state="connected"] .dot { background: var(--good-fill); }
[data-state="refused"] .dot { background: var(--bad-fill); }
#connection:not([data-state="connected"]) { background: var(--warn-soft); border-color: var(--warn); color: var(--warn); }

table { width: 100%; border-collapse: collapse; text-align: start; }
caption { text-align: start; padding-bottom: 8px; color: var(--quiet); }
th, td { padding: 6px 12px 6px 0; text-align: start; font-weight: 400; border-bottom: 1px solid var(--line); vertical-align: top; }
thead th { color: var(--quiet); font-size: 12px; white-space: nowrap; }
tbody tr:last-child > * { border-bottom: 0; }
.table-box { overflow-x: auto; padding: 8px 16px; }
#chart-table tbody { font-variant-numeric: tabular-nums; }
#chart-table table { margin-bottom: 12px; }

.empty {
  display: grid;
  gap: 8px;
  place-items: center;
  padding: 32px 16px;
  color: var(--quiet);
  text-align: center;
}
.empty .icon { width: 28px; height: 28px; stroke-width: 1; }

.example { display: grid; gap: 8px; justify-items: center; min-width: 0; max-width: 100%; }
.command { display: flex; gap: 8px; align-items: start; min-width: 0; max-width: 100%; }
.command pre {
  min-width: 0;
  max-height: 200px;
  margin: 0;
  padding: 3px 10px;
  border: 1px solid var(--line);
  border-radius: 6px;
  background: var(--sunken);
  color: var(--text);
  line-height: 20px;
  text-align: start;
  white-space: pre-wrap;
  overflow: auto;
  overflow-wrap: anywhere;
}
kbd { padding: 0 5px; border: 1px solid var(--line-strong); border-radius: 4px; font: 12px/18px var(--mono); }
.keys { margin: 8px 0 12px; }
.keys th[scope="row"] { line-height: 24px; }
#keys-dialog .choices { margin-bottom: 16px; }

/* The bar */

.bar {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 4px 20px;
  padding: 0 16px;
  border-bottom: 1px solid var(--line);
  background: var(--surface);
}
.brand { display: flex; align-items: center; gap: 8px; padding: 8px 0; }
.brand h1 { font-size: 14px; white-space: nowrap; }
.logo { padding: 3px; width: 24px; height: 24px; border-radius: 6px; background: var(--accent); color: var(--accent-text); }
.brand select { width: auto; max-width: 160px; }
.bar nav { flex: 1; min-width: 0; overflow-x: auto; }
.bar nav ul { display: flex; gap: 2px; }
.bar nav a {
  display: flex;
  align-items: center;
  gap: 6px;
  height: 44px;
  padding: 0 10px;
  border-block: 2px solid transparent;
  color: var(--quiet);
  font-weight: 500;
  text-decoration: none;
  white-space: nowrap;
}
.bar nav a:focus-visible { outline-offset: -3px; border-radius: 6px; }
.bar nav a:hover { color: var(--text); }
.bar nav a[aria-current] { color: var(--text); border-bottom-color: var(--accent); }
.bar nav a[aria-current] .icon { color: var(--accent); }
.state { display: flex; gap: 8px; padding: 8px 0; }

main { flex: 1; min-height: 0; display: flex; flex-direction: column; }
.view { flex: 1; min-height: 0; }
.view.page { overflow: auto; padding: 20px 24px 48px; }
.page > * { max-width: 1560px; margin-inline: auto; }
.page > section { margin-bottom: 24px; }
.page-head { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 12px; margin-bottom: 16px; }
.part-head { display: flex; align-items: center; justify-content: space-between; min-height: 28px; margin-bottom: 8px; }
.part-head:not(:first-child) { margin-top: 20px; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 440px); gap: 24px; align-items: start; }

/* Counts and chart */

#view-notifications { display: flex; flex-direction: column; }
.overview {
  display: flex;
  flex-wrap: wrap;
  gap: 12px 32px;
  align-items: center;
  padding: 12px 16px;
  background: var(--surface);
  border-bottom: 1px solid var(--line);
}
.counts { display: flex; flex-wrap: wrap; gap: 8px 28px; }
.counts dt { display: flex; align-items: center; gap: 6px; color: var(--quiet); font-size: 12px; line-height: 16px; }
.counts dt::before { content: ""; width: 8px; height: 8px; border-radius: 2px; background: var(--line-strong); }
.counts .accepted dt::before { background: var(--good-fill); }
.counts .refused dt::before { background: var(--bad-fill); }
.counts .unprocessed dt::before { background: var(--warn-fill); }
.counts div:last-child dt::before { display: none; }
.counts dd { font-size: 22px; line-height: 28px; font-weight: 600; letter-spacing: -0.02em; font-variant-numeric: tabular-nums; }
.chart-box { flex: 1; min-width: 240px; }
.chart { position: relative; height: 44px; border-bottom: 1px solid var(--line-strong); }
.chart svg { display: block; width: 100%; height: 100%; }
.chart rect.accepted { fill: var(--good-fill); }
.chart rect.refused { fill: var(--bad-fill); }
.chart rect.unprocessed { fill: var(--warn-fill); }
.chart-top { position: absolute; inset: -2px auto auto 0; color: var(--quiet); font-size: 11px; line-height: 14px; }
.chart-legend { display: flex; gap: 12px; align-items: center; color: var(--quiet); font-size: 11px; line-height: 20px; }
.chart-legend #count-reasons { flex: 1; color: var(--bad); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.chart-legend button { font-size: 11px; min-height: 20px; }
"""####),
        PageFile(
        name: "payload.js",
        text: ####"""
// A payload as numbered lines, with the validator's findings under the lines that they are about.

import { h, icon } from "./dom.js";
import { memberSource, prettyLines, textOfBase64 } from "./json.js";
import { count, shown } from "./text.js";

const severities = { error: "Error", warning: "Warning", note: "Note" };

/** A finding as a separate line. */
export function findingNode(finding, tag = "p") {
  return h(
    tag,
    { class: `finding ${finding.severity}` },
    icon(finding.severity === "error" ? "cross" : finding.severity === "warning" ? "warning" : "info"),
    h("strong", {}, severities[finding.severity] ?? finding.severity),
    " ",
    h("span", {}, shown(finding.message)),
    " ",
    h("code", { class: "rule" }, finding.rule),
  );
}

/** Whether a finding is about a header instead of the payload. */
export const isOfHeader = (finding) => finding.pointer !== null && finding.pointer !== "" && finding.pointer[0] !== "/";

/**
 * The payload of an API answer, given as text, so that numbers keep their digits. `findings` are those about the
 * payload.
 */
export function payloadNode(answer, findings) {
  const source = memberSource(answer, "payload");
  if (source !== null) return jsonNode(source, findings);
  const encoded = memberSource(answer, "payload-base64");
  const text = encoded === null ? "" : textOfBase64(JSON.parse(encoded));
  return h(
    "div",
    {},
    ...findings.map((finding) => findingNode(finding)),
    text === ""
      ? h("p", { class: "quiet" }, "The payload is empty.")
      : h(
          "pre",
          { class: "raw", tabindex: "0", role: "region", "aria-label": "Payload, which is not JSON" },
          shown(text),
        ),
  );
}

function jsonNode(source, findings) {
  const lines = prettyLines(source);
  const places = new Map();
  const elsewhere = [];
  for (const finding of findings) {
    const line = finding.pointer === null ? -1 : lines.findIndex((line) => line.pointer === finding.pointer);
    if (line < 0) elsewhere.push(finding);
    else places.set(line, [...(places.get(line) ?? []), finding]);
  }
  const items = lines.map((line, index) => {
    const own = places.get(index) ?? [];
    const parts = line.parts.map((part) => h("span", { class: `json-${part.kind}` }, shown(part.text)));
    const code = h("code", {}, ...parts);
    code.style.paddingInlineStart = `${Math.min(line.depth, 40) * 1.25}em`;
    const worst = Object.keys(severities).find((severity) => own.some((finding) => finding.severity === severity));
    return h("li", { class: worst ? `marked ${worst}` : null }, code, ...own.map((finding) => findingNode(finding)));
  });
  return h(
    "div",
    {},
    ...elsewhere.map((finding) => findingNode(finding)),
    h(
      "div",
      { class: "code-box", tabindex: "0", role: "region", "aria-label": `Payload, ${count(lines.length)} lines` },
      h("ol", { class: "code" }, ...items),
    ),
  );
}
"""####),
        PageFile(
        name: "phone.js",
        text: ####"""
// One device as a phone: a screen with its notifications, its switches, and what waits for it.

import { call, follow } from "./api.js";
import { confirm, h, icon, replace, setText, throttled, toast } from "./dom.js";
import { summary } from "./journal.js";
import { clockTime, count, counted, cut, plain, shortToken, shown } from "./text.js";

const appStates = ["foreground", "background", "suspended", "terminated", "force-quit"];
const switches = ["online", "awake", "power", "data", "refresh", "allowed", "here"];
const maximumBanners = 20;
/** How many notifications are requested; more than are shown, because newer ones hide some. */
const maximumDelivered = 100;

/** How many phones may take deliveries in this page: a browser opens at most six connections to a server. */
const maximumConnections = 3;
let connections = 0;

/** The `aps` of a notification; empty if it has none. */
function apsOf(entry) {
  const aps = entry.payload?.aps;
  return typeof aps === "object" && aps !== null ? aps : {};
}

/** The name of the app, taken from its topic. */
const appOf = (topic) => topic.replace(/\.(voip|complication|push-type\..*)$/, "").split(".").at(-1);

/** What the device plays for a notification; empty for nothing. A passive one is silent. */
function soundOf(aps) {
  const { sound } = aps;
  if (aps["interruption-level"] === "passive") return "";
  if (typeof sound === "string") return sound;
  if (typeof sound !== "object" || sound === null || typeof sound.name !== "string") return "";
  return sound.critical === 1 ? `${sound.name}, critical` : sound.name;
}

/** The number on the app's icon: that of the newest notification that has one; none for 0. */
function badgeOf(delivered) {
  const numbers = delivered.map((entry) => apsOf(entry).badge);
  return numbers.find((badge) => Number.isSafeInteger(badge) && badge >= 0) ?? 0;
}

/** The content of a notification's banner. */
function bannerOf(entry) {
  const aps = apsOf(entry);
  const { alert } = aps;
  const app = appOf(entry["apns-topic"] ?? "");
  const banner = { app, title: "", subtitle: "", body: "", isSilent: false, extra: [] };
  if (typeof alert === "string") banner.body = alert;
  else if (alert !== null && typeof alert === "object") {
    const localized = (key, args) => {
      const own = Array.isArray(alert[args]) ? alert[args].join(", ") : "";
      return typeof alert[key] === "string" ? `${alert[key]}${own === "" ? "" : ` (${own})`}` : "";
    };
    banner.title = String(alert.title ?? localized("title-loc-key", "title-loc-args"));
    banner.subtitle = String(alert.subtitle ?? localized("subtitle-loc-key", "subtitle-loc-args"));
    banner.body = String(alert.body ?? localized("loc-key", "loc-args"));
  }
  if (banner.title + banner.subtitle + banner.body === "") {
    banner.isSilent = true;
    banner.body = summary(entry.payload ?? null) || (entry["apns-push-type"] ?? "no payload");
  }
  if (typeof aps.badge === "number") banner.extra.push(`badge ${aps.badge}`);
  if (soundOf(aps) !== "") banner.extra.push(`sound ${soundOf(aps)}`);
  if (typeof aps["interruption-level"] === "string") banner.extra.push(aps["interruption-level"]);
  if (typeof aps.event === "string") banner.extra.push(`event ${aps.event}`);
  return banner;
}

const appIcon = (app) => h("span", { class: "app-icon", "aria-hidden": "true" }, (plain(app)[0] ?? "?").toUpperCase());

function lines(text) {
  return cut(text, 600)
    .split("\n")
    .flatMap((line, index) => (index === 0 ? shown(line) : ["\n", ...shown(line)]));
}

function bannerNode(entry) {
  const banner = bannerOf(entry);
  return h(
    "li",
    { class: banner.isSilent ? "banner silent" : "banner" },
    h(
      "a",
      { href: `#/notifications/${encodeURIComponent(entry["apns-unique-id"])}` },
      appIcon(banner.app),
      h(
        "span",
        { class: "banner-text" },
        h(
          "span",
          { class: "banner-head" },
          h("span", {}, banner.isSilent ? `${plain(cut(banner.app, 24))} · silent` : plain(cut(banner.app, 24))),
          h("time", { datetime: entry.delivered ?? null }, clockTime(entry.delivered).slice(0, 5)),
        ),
        banner.title === "" ? null : h("strong", {}, lines(banner.title)),
        banner.subtitle === "" ? null : h("span", {}, lines(banner.subtitle)),
        banner.body === "" ? null : h("span", { class: "banner-body" }, lines(banner.body)),
        banner.extra.length === 0 ? null : h("span", { class: "banner-extra" }, shown(banner.extra.join(" · "))),
      ),
    ),
  );
}

/** Why an entry waits, and until when. */
function waitingText(entry) {
  const until = entry["held-until"] ?? entry.expires;
  const reason = entry["held-for"] ? `held for ${entry["held-for"].replaceAll("-", " ")} ` : "";
  return `${reason}until ${until.slice(0, 16).replace("T", " ")}`;
}

/** A switch with a label; `change` gets the new state. */
function switchNode(text, change) {
  const input = h("input", { type: "checkbox", role: "switch", onchange: () => change(input.checked) });
  const track = h("span", { class: "track", "aria-hidden": "true" });
  return { input, node: h("label", { class: "switch" }, input, track, text) };
}

export class Phone {
  #device;
  #parts = {};
  #connection = null;
  /** Whether the page receives the deliveries; false while it connects. */
  #isConnected = false;
  #inbox = { waiting: [], delivered: [] };
  node;
  #lookAgain;

  constructor(device, { time }) {
    this.#device = device;
    this.#build(time);
    this.update(device);
    this.refresh = throttled(300, () => this.#load());
    this.#lookAgain = throttled(200, () => this.#look());
    this.#load();
  }

  get token() {
    return this.#device.token;
  }

  get #path() {
    return `/devices/${this.#device.token}`;
  }

  get #query() {
    return `?environment=${encodeURIComponent(this.#device.environment)}`;
  }

  #build(time) {
    const parts = this.#parts;
    const token = this.#device.token;
    const name = `phone-${token}`;
    parts.online = switchNode("Online", (value) => this.#patch({ online: value }));
    parts.power = switchNode("Low Power Mode", (value) => this.#patch({ "low-power": value }));
    parts.data = switchNode("Low Data Mode", (value) => this.#patch({ "low-data": value }));
    parts.refresh = switchNode("Background App Refresh", (value) => this.#patch({ "background-refresh": value }));
    parts.allowed = switchNode("Notifications", (value) => this.#patch({ notifications: value }));
    parts.awake = switchNode("Awake", (value) => this.#patch({ awake: value }));
    parts.here = switchNode("Take deliveries here", (value) => this.#setConnected(value));
    parts.state = h(
      "select",
      { onchange: () => this.#patch({ "app-state": parts.state.value }) },
      ...appStates.map((state) => h("option", { value: state }, state)),
    );
    parts.budget = h("input", {
      list: "budget-choices", autocomplete: "off", spellcheck: "false", placeholder: "3/1h",
      onchange: () => this.#patch({ budget: parts.budget.value.trim() }),
    });
    const button = (text, work, kind) =>
      h("button", { type: "button", class: kind ?? null, onclick: () => work.call(this) }, text);
    parts.reinstall = button("Reinstall", () => this.#changeToken("reinstall", "The app was installed again"));
    parts.restore = button("Restore from backup", () => this.#changeToken("restore", "A backup was restored"));
    parts.uninstall = button("Uninstall", this.#uninstall, "danger");
    parts.facts = h("p", { class: "quiet phone-facts" });
    parts.time = h("span", { class: "phone-time" }, time);
    parts.signs = h("span", { class: "phone-signs" });
    parts.banners = h("ul", { class: "banners" });
    parts.screen = h("div", { class: "screen", tabindex: "0", role: "region", "aria-label": "Screen" }, parts.banners);
    parts.note = h("p", { class: "screen-note" });
    parts.badge = h("span", { class: "app-badge", hidden: true });
    parts.sound = h("p", { class: "phone-sound", hidden: true });
    const app = appOf(this.#device.topic);
    const dock = h("div", { class: "dock" }, h("span", { class: "dock-app" }, appIcon(app), parts.badge), parts.sound);
    parts.waiting = h("ul", { class: "waiting" });
    parts.waitingText = h("h4", {}, "Nothing waits for it");
    this.node = h(
      "article",
      { class: "device", "aria-labelledby": name },
      h(
        "div",
        { class: "phone" },
        h("div", { class: "phone-bar" }, parts.time, parts.signs),
        parts.screen,
        parts.note,
        dock,
      ),
      h(
        "div",
        { class: "device-side" },
        h("h3", { id: name }, h("code", { title: plain(token) }, shortToken(token))),
        h("p", { class: "device-topic" }, shown(this.#device.topic)),
        parts.facts,
        h("div", { class: "switches" }, ...switches.map((name) => parts[name].node)),
        h("label", { class: "field" }, "App", parts.state),
        h("label", { class: "field" }, "Budget", parts.budget),
        h("div", { class: "device-waiting" }, parts.waitingText, parts.waiting),
        h(
          "div",
          { class: "buttons" },
          h("a", { class: "button", href: `#/send/${token}` }, "Send to it"),
          parts.reinstall,
          parts.restore,
          parts.uninstall,
        ),
      ),
    );
  }

  /** Shows the new state of the device. */
  update(device) {
    this.#device = device;
    const parts = this.#parts;
    const isInstalled = device.installed;
    parts.online.input.checked = device.online;
    parts.power.input.checked = device["low-power"];
    parts.data.input.checked = device["low-data"];
    parts.refresh.input.checked = device["background-refresh"];
    parts.state.value = device["app-state"];
    parts.allowed.input.checked = device.notifications;
    parts.awake.input.checked = device.awake;
    if (document.activeElement !== parts.budget) parts.budget.value = device.budget;
    const controls = [...switches.map((name) => parts[name].input), parts.state, parts.budget];
    for (const control of controls) control.disabled = !isInstalled;
    for (const part of [parts.reinstall, parts.restore, parts.uninstall]) part.hidden = !isInstalled;
    setText(parts.facts, this.#facts(device));
    this.node.classList.toggle("is-offline", !device.online);
    this.node.classList.toggle("is-gone", !isInstalled);
    const signs = [
      device.online ? ["signal", "online"] : ["offline", "offline"],
      device["low-power"] ? ["battery-low", "low power"] : ["battery", "power"],
    ];
    replace(parts.signs, ...signs.map(([name]) => icon(name)));
    this.#drawNote();
  }

  #facts(device) {
    const facts = [device.kind, device.environment];
    if (device["registered-by"] === "use") facts.push("registered by its first use");
    if (!device.installed) facts.push("uninstalled");
    else if (this.#listeners > 0) facts.push(counted(this.#listeners, "connection"));
    else facts.push("not connected");
    if (device.channels.length > 0) facts.push(counted(device.channels.length, "channel"));
    return facts.join(" · ");
  }

  #drawNote() {
    const { installed, online } = this.#device;
    const isEmpty = this.#inbox.delivered.length === 0;
    let note = "";
    if (!installed) note = "The app is uninstalled.";
    else if (!online) note = "Offline: what is sent waits.";
    else if (this.#isConnected) note = isEmpty ? "Deliveries come here. None yet." : "Deliveries come here.";
    else if (this.#connection !== null) note = "Connecting.";
    else if (this.#listeners > 0) note = "Deliveries go to apns device or another page, and are shown here too.";
    else if (isEmpty) note = "Not connected: what is sent waits. Take deliveries here, or run apns device.";
    else note = "Not connected any more: these were delivered before, and what is sent now waits.";
    setText(this.#parts.note, note);
  }

  /** How many connections the device has; the page knows of its own before the gateway tells. */
  get #listeners() {
    return Math.max(this.#device.listeners, this.#isConnected ? 1 : 0);
  }

  /** Reads the device again: connections come and go without an event. */
  async #look() {
    try {
      this.update(await call("GET", this.#path + this.#query));
    } catch {
      // It is read again with all devices.
    }
  }

  /** The icon of the app with its badge, and what the newest notification plays. */
  #drawDock(delivered) {
    const { badge, sound } = this.#parts;
    const number = this.#device.kind === "app" ? badgeOf(delivered) : 0;
    badge.hidden = number === 0;
    replace(badge, h("span", { class: "visually-hidden" }, "Badge "), count(number));
    const played = delivered.length === 0 ? "" : soundOf(apsOf(delivered[0]));
    sound.hidden = played === "";
    replace(sound, icon("sound"), h("span", {}, "Plays ", shown(cut(played, 40))));
  }

  setTime(text) {
    setText(this.#parts.time, text);
  }

  async #load() {
    let inbox;
    try {
      inbox = await call("GET", `${this.#path}/notifications${this.#query}&limit=${maximumDelivered}`);
    } catch {
      return;
    }
    const before = JSON.stringify(this.#inbox);
    if (before === JSON.stringify(inbox)) return;
    if (inbox.delivered.length > 0 && this.#listeners === 0) this.#lookAgain();
    this.#inbox = inbox;
    const parts = this.#parts;
    // The keyboard focus stays on its banner.
    const held = document.activeElement?.closest(".banner a")?.hash ?? null;
    // A device shows one notification per collapse id.
    const seen = inbox.delivered.filter((entry) => entry["hidden-by"] === undefined);
    replace(parts.banners, ...seen.slice(0, maximumBanners).map(bannerNode));
    if (held !== null) {
      for (const link of parts.banners.querySelectorAll("a")) {
        if (link.hash === held) link.focus();
      }
    }
    const waiting = inbox.waiting.length;
    setText(parts.waitingText, waiting === 0 ? "Nothing waits for it" : `${count(waiting)} waiting`);
    replace(
      parts.waiting,
      ...inbox.waiting.slice(-5).map((entry) =>
        h(
          "li",
          {},
          h(
            "a",
            { href: `#/notifications/${encodeURIComponent(entry["apns-unique-id"])}` },
            shown(cut(bannerOf(entry).title || bannerOf(entry).body, 60)),
          ),
          h("span", { class: "quiet" }, waitingText(entry)),
        ),
      ),
    );
    this.#drawDock(inbox.delivered);
    this.#drawNote();
  }

  async #patch(change) {
    try {
      this.update(await call("PATCH", this.#path + this.#query, change));
    } catch (error) {
      toast(error.message, "bad");
      this.#parts.budget.value = this.#device.budget;
      this.update(this.#device);
    }
  }

  async #uninstall() {
    const question = `Uninstall the app from ${shortToken(this.token)}? Later sends get 410 Unregistered.`;
    if (!(await confirm(question, "Uninstall"))) return;
    try {
      await call("DELETE", this.#path + this.#query);
      toast("The app is uninstalled");
    } catch (error) {
      toast(error.message, "bad");
    }
  }

  /** The app gets a new device token; the old one gets 410 from now on. */
  async #changeToken(change, done) {
    this.disconnect();
    try {
      const device = await call("POST", `${this.#path}/${change}${this.#query}`);
      toast(`${done}; its device token is now ${shortToken(device.token)}`);
    } catch (error) {
      toast(error.message, "bad");
    }
  }

  /** Makes the page the device's connection, as `apns device` does. */
  #setConnected(value) {
    if (!value) {
      this.disconnect();
      return;
    }
    if (connections >= maximumConnections) {
      this.#parts.here.input.checked = false;
      toast(`A browser has few connections, so at most ${maximumConnections} phones take deliveries here`, "bad");
      return;
    }
    connections += 1;
    this.#connection = new AbortController();
    const { signal } = this.#connection;
    follow(`${this.#path}/deliveries${this.#query}`, {
      signal,
      resumes: true,
      onEvent: () => this.refresh(),
      onState: (state, why) => {
        this.#isConnected = state === "connected";
        if (this.#isConnected) this.refresh();
        this.#lookAgain();
        this.#drawNote();
        if (state !== "refused") return;
        toast(why, "bad");
        this.disconnect();
      },
    });
  }

  disconnect() {
    if (this.#connection === null) return;
    this.#connection.abort();
    this.#connection = null;
    connections -= 1;
    this.#parts.here.input.checked = false;
    if (this.#isConnected) this.#device = { ...this.#device, listeners: Math.max(0, this.#device.listeners - 1) };
    this.#isConnected = false;
    this.update(this.#device);
    this.#lookAgain();
  }
}
"""####),
        PageFile(
        name: "text.js",
        text: ####"""
// Formats strings, times and numbers. A character of a notification that is invisible or changes the direction of the
// text is shown by its name instead.

import { h } from "./dom.js";

const controls = "\\u0000-\\u001f\\u007f-\\u009f";
const directions = "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069";
const invisible =
  "\\u00ad\\u115f\\u1160\\u180e\\u200b\\u2028\\u2029\\u2060-\\u2064\\u206a-\\u206f\\u3164\\ufeff\\uffa0";
const hidden = new RegExp(`[${controls}${directions}${invisible}]|[\\ud800-\\udfff]`, "gu");

const name = (character) => "U+" + character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");

/** The string with a name for each hidden character; for attributes and titles. */
export function plain(text) {
  return String(text).replace(hidden, (character) => `[${name(character)}]`);
}

/** Whether no character of the string is hidden. */
export const isPlain = (text) => plain(text) === String(text);

/** JSON text with an escape for each hidden character in a string. */
export function escaped(json) {
  const code = (character) => "\\u" + character.charCodeAt(0).toString(16).padStart(4, "0");
  return json.replace(hidden, (character) => (/[\t\n\r]/.test(character) ? character : code(character)));
}

/** The string as nodes, in which hidden characters are named and marked. */
export function shown(text) {
  const nodes = [];
  let end = 0;
  const source = String(text);
  for (const match of source.matchAll(hidden)) {
    if (match.index > end) nodes.push(source.slice(end, match.index));
    nodes.push(h("span", { class: "hidden-character" }, name(match[0])));
    end = match.index + match[0].length;
  }
  if (end < source.length) nodes.push(source.slice(end));
  return nodes;
}

/** At most `count` characters, without splitting one. */
export function cut(text, count) {
  const source = String(text);
  if (source.length <= count) return source;
  return Array.from(source.slice(0, count * 2)).slice(0, count).join("") + "…";
}

/** A device token in lists: its first and last four digits. */
export function shortToken(token) {
  const text = plain(token ?? "");
  return text.length > 12 ? `${text.slice(0, 4)}…${text.slice(-4)}` : text;
}

const two = (number) => String(number).padStart(2, "0");

/** The time of day in UTC with milliseconds, as in the gateway's log. */
export const clockTime = (text) => (text ?? "").slice(11, 23);

/** Day and time in UTC. */
export const dayAndTime = (text) => `${(text ?? "").slice(0, 10)} ${(text ?? "").slice(11, 23)}`;

export const isoTime = (milliseconds) => new Date(milliseconds).toISOString();

/** A span of time in the largest units that tell something. */
export function span(milliseconds) {
  const seconds = Math.round(Math.abs(milliseconds) / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ${two(Math.floor(seconds / 60) % 60)} min`;
  return `${Math.floor(seconds / 86400)} d ${Math.floor(seconds / 3600) % 24} h`;
}

const numbers = new Intl.NumberFormat("en-US");

/** A number with a comma at each third digit. */
export const count = (number) => numbers.format(number);

/** A number with its noun in the right form. */
export const counted = (number, one, many = one + "s") => `${count(number)} ${number === 1 ? one : many}`;
"""####),
        PageFile(
        name: "views.css",
        text: ####"""
/* What a view consists of. It is loaded after page.css, because the rules for narrow screens override both. */

/* The list */

.split { flex: 1; min-height: 0; display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 480px); }
.list-pane { display: flex; flex-direction: column; min-width: 0; min-height: 0; background: var(--surface); container: list / inline-size; }
.detail-pane { min-width: 0; min-height: 0; overflow: auto; border-inline-start: 1px solid var(--line); background: var(--ground); }
.filter { padding: 8px 16px; border-bottom: 1px solid var(--line); }
.filter-line { display: flex; flex-wrap: wrap; gap: 8px; }
.filter-line > input { flex: 1 1 200px; }
.filter-line > select { flex: 0 1 150px; }

.list-box { position: relative; flex: 1; min-height: 0; display: flex; flex-direction: column; }
.list-box > .empty { position: absolute; inset: 0; align-content: center; pointer-events: none; }
.list-box > .empty :is(a, button, pre) { pointer-events: auto; }
.list { --row: 32px; flex: 1; min-height: 120px; overflow: auto; overflow-anchor: none; position: relative; contain: strict; }
.list:focus-visible { outline-offset: -2px; }
.spacer { position: relative; min-height: 100%; }
.row, .list-head {
  display: grid;
  grid-template-columns: 88px 16px 112px 92px minmax(90px, 1fr) 84px minmax(120px, 2fr) 72px;
  gap: 0 12px;
  align-items: center;
  padding: 0 16px;
}
.list-head { height: 28px; color: var(--quiet); font-size: 12px; border-bottom: 1px solid var(--line); background: var(--surface); }
.row { position: absolute; inset: 0 0 auto; height: var(--row); border-bottom: 1px solid var(--line); cursor: default; contain: strict; }
.row:hover { background: var(--sunken); }
.row[aria-selected="true"] { background: var(--accent-soft); box-shadow: inset 3px 0 0 var(--accent); }
.cell { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; unicode-bidi: isolate; }
.row .time, .row .to { font: 12px/20px var(--mono); }
.row .time, .row .topic, .row .to, .row .stage { color: var(--quiet); }
.row .mark { display: flex; }
.accepted .mark { color: var(--good); }
.refused .mark, .refused .status, .refused .text code { color: var(--bad); }
.unprocessed .mark, .unprocessed .status { color: var(--warn); }
.row .stage-delivered { color: var(--good); }
.row .stage-stored, .row .stage-throttled { color: var(--warn); }
#list-new { position: absolute; inset: 8px auto auto 50%; transform: translateX(-50%); z-index: 2; border-radius: 14px; box-shadow: var(--shadow); }
.list-foot {
  display: flex;
  flex-wrap: wrap;
  justify-content: space-between;
  gap: 0 16px;
  padding: 4px 16px;
  border-top: 1px solid var(--line);
  color: var(--quiet);
  font-size: 12px;
}
.list-foot button { font-size: 12px; margin-inline-start: 8px; }

@container list (max-width: 860px) {
  .list { --row: 52px; }
  .list-head { display: none; }
  .row {
    grid-template: "mark status type topic time" 24px "mark to text text stage" 20px / 16px auto auto minmax(0, 1fr) auto;
    gap: 0 10px;
    align-content: center;
  }
  .row .time { grid-area: time; }
  .row .mark { grid-area: mark; align-self: start; padding-top: 4px; }
  .row .status { grid-area: status; }
  .row .type { grid-area: type; color: var(--quiet); }
  .row .topic { grid-area: topic; }
  .row .to { grid-area: to; }
  .row .text { grid-area: text; }
  .row .stage { grid-area: stage; text-align: end; }
}

/* One notification */

.detail-head {
  position: sticky;
  inset: 0 0 auto;
  z-index: 1;
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 8px;
  padding: 8px 16px;
  border-bottom: 1px solid var(--line);
  background: var(--ground);
}
#detail-title { font-size: 15px; text-transform: capitalize; }
#detail-content { display: grid; gap: 20px; padding: 16px; }
.part { display: grid; gap: 8px; min-width: 0; }
.part > h3 { font-size: 12px; line-height: 16px; color: var(--quiet); font-weight: 600; }
.verdict { display: grid; gap: 4px; padding: 12px 16px; border-radius: var(--radius); border: 1px solid; overflow-wrap: anywhere; }
.verdict.accepted { background: var(--good-soft); border-color: color-mix(in srgb, var(--good) 35%, transparent); }
.verdict.refused { background: var(--bad-soft); border-color: color-mix(in srgb, var(--bad) 35%, transparent); }
.verdict.unprocessed { background: var(--warn-soft); border-color: color-mix(in srgb, var(--warn) 35%, transparent); }
.verdict-head { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; font-size: 15px; }
.verdict-head a { margin-inline-start: auto; font-size: 13px; }
.verdict.accepted .verdict-head { color: var(--good); }
.verdict.refused .verdict-head { color: var(--bad); }
.verdict.unprocessed .verdict-head { color: var(--warn); }
.verdict .status { font-variant-numeric: tabular-nums; }
.verdict code { font-size: 13px; }
.verdict .quiet { color: color-mix(in srgb, var(--text) 78%, transparent); }
.verdict .quiet code { font-size: 12px; }

.life { position: relative; display: grid; gap: 8px; }
.life li { position: relative; display: grid; grid-template-columns: auto 1fr; gap: 0 8px; padding-inline-start: 20px; }
.life li::before {
  content: "";
  position: absolute;
  inset: 6px auto auto 2px;
  width: 8px;
  height: 8px;
  border-radius: 50%;
  background: var(--line-strong);
}
.life li:not(:last-child)::after { content: ""; position: absolute; inset: 16px auto -12px 5px; width: 2px; background: var(--line); }
.life .stage-accepted::before, .life .stage-delivered::before { background: var(--good-fill); }
.life .stage-refused::before { background: var(--bad-fill); }
.life .stage-stored::before, .life .stage-throttled::before { background: var(--warn-fill); }
.life time { order: 1; color: var(--quiet); font: 12px/20px var(--mono); justify-self: end; }
.life span { order: 2; grid-column: 1 / -1; color: var(--quiet); overflow-wrap: anywhere; }

.facts { display: grid; gap: 0; background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); padding: 4px 12px; }
.facts > div { display: grid; grid-template-columns: 124px minmax(0, 1fr); gap: 12px; padding: 4px 0; }
.facts > div + div { border-top: 1px solid var(--line); }
.facts dt { color: var(--quiet); }
.facts .value { font: 12px/20px var(--mono); overflow-wrap: anywhere; unicode-bidi: isolate; }

.code-box, .raw { overflow: auto; max-height: 480px; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); }
.code { counter-reset: line; padding: 8px 0; font: 12px/20px var(--mono); min-width: max-content; }
.code li { counter-increment: line; position: relative; padding-inline: 48px 12px; }
.code li::before {
  content: counter(line);
  position: absolute;
  inset: 0 auto 0 0;
  width: 36px;
  text-align: end;
  color: var(--quiet);
}
.code code { display: block; white-space: pre-wrap; overflow-wrap: anywhere; max-width: 100cqw; unicode-bidi: isolate; direction: ltr; }
.code-box { container-type: inline-size; }
.code { min-width: 0; }
.code li.marked.error { background: var(--bad-soft); box-shadow: inset 3px 0 0 var(--bad-fill); }
.code li.marked.warning { background: var(--warn-soft); box-shadow: inset 3px 0 0 var(--warn-fill); }
.code li.marked.note { background: var(--accent-soft); box-shadow: inset 3px 0 0 var(--accent); }
.raw { padding: 12px; margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.json-key { color: var(--json-key); }
.json-string { color: var(--json-string); }
.json-number { color: var(--json-number); }
.json-word { color: var(--json-word); }

.finding { font: 13px/20px var(--sans); overflow-wrap: anywhere; padding-bottom: 4px; }
.finding .icon { vertical-align: -3px; margin-inline-end: 4px; }
.finding.error .icon, .finding.error strong { color: var(--bad); }
.finding.warning .icon, .finding.warning strong { color: var(--warn); }
.finding.note .icon, .finding.note strong { color: var(--accent); }
.finding .rule { color: var(--quiet); }
.marked .finding .rule, .marked::before { color: color-mix(in srgb, var(--text) 78%, transparent) !important; }

/* Devices */

.register { margin-inline-start: auto; position: relative; }
summary { cursor: pointer; font-weight: 500; padding: 4px 0; }
.register > .panel { position: absolute; inset: 32px 0 auto auto; z-index: 3; width: 320px; box-shadow: var(--shadow); }
.devices { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 424px), 1fr)); gap: 16px; }
.device {
  display: grid;
  grid-template-columns: 208px minmax(0, 1fr);
  gap: 16px;
  padding: 16px;
  border: 1px solid var(--line);
  border-radius: 12px;
  background: var(--surface);
}
.phone {
  position: relative;
  display: flex;
  flex-direction: column;
  height: 420px;
  padding: 10px 8px 12px;
  border: 5px solid #23272e;
  border-radius: 32px;
  background: linear-gradient(168deg, #35507c, #45406f 52%, #6a4a6c);
  color: #ffffff;
}
.phone-bar { display: flex; justify-content: space-between; padding: 0 10px 8px; font-weight: 600; font-size: 12px; }
.phone-signs { display: flex; gap: 6px; }
.screen { flex: 1; min-height: 0; overflow: auto; border-radius: 14px; scrollbar-width: thin; scrollbar-color: rgb(255 255 255 / 40%) transparent; }
.screen:focus-visible, .banner a:focus-visible { outline-color: #ffffff; outline-offset: -2px; }
.banners { display: grid; gap: 6px; }
.banner a {
  display: grid;
  grid-template-columns: 28px minmax(0, 1fr);
  gap: 8px;
  padding: 8px;
  border-radius: 14px;
  background: #f1f2f6;
  color: #1b1f24;
  font-size: 12px;
  line-height: 16px;
  text-decoration: none;
}
.banner.silent a { background: rgb(20 22 34 / 62%); color: #eceef4; }
.app-icon {
  display: grid;
  place-items: center;
  width: 28px;
  height: 28px;
  border-radius: 7px;
  background: #1f5fbf;
  color: #ffffff;
  font-weight: 600;
  font-size: 13px;
}
.silent .app-icon { background: #565c70; }
.banner-text { display: grid; min-width: 0; }
.banner-text > * { overflow-wrap: anywhere; white-space: pre-line; unicode-bidi: isolate; }
.banner-head { display: flex; justify-content: space-between; gap: 8px; font-size: 11px; color: #525a66; }
.silent .banner-head, .silent .banner-extra { color: #c9cedb; }
.banner-head > span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.banner-body { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 4; line-clamp: 4; overflow: hidden; }
.banner-extra { font-size: 11px; color: #525a66; }
.screen-note { padding: 8px 10px 0; font-size: 12px; line-height: 16px; text-align: center; color: #ffffff; }
.dock { display: flex; align-items: center; gap: 14px; min-height: 40px; padding: 8px 12px 0; font-size: 12px; line-height: 16px; }
.dock-app { position: relative; display: flex; flex: none; }
.dock .app-icon { border: 1px solid #ffffff; }
.app-badge {
  position: absolute;
  inset: -8px auto auto 20px;
  min-width: 18px;
  padding: 0 5px;
  border-radius: 9px;
  background: #b3261e;
  color: #ffffff;
  font-size: 11px;
  line-height: 18px;
  font-weight: 600;
  text-align: center;
}
.phone-sound { display: flex; align-items: center; gap: 6px; min-width: 0; overflow-wrap: anywhere; }
.is-offline .phone, .is-gone .phone { background: #3b4048; }
.is-gone .banners { opacity: 0.45; }
.device-side { display: flex; flex-direction: column; gap: 8px; min-width: 0; }
.device-side h3 code { font-size: 15px; }
.device-topic { overflow-wrap: anywhere; margin-top: -8px; }
.device-side .field { grid-template-columns: auto 1fr; align-items: center; gap: 12px; }
.device-side > .buttons { margin-top: auto; }
.device-waiting { min-height: 44px; }
.device-waiting h4 { color: var(--quiet); font-weight: 500; }
.waiting a { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.waiting .quiet { display: block; font-size: 12px; line-height: 16px; }
.switches { display: grid; gap: 2px; }
.switch { display: flex; align-items: center; gap: 10px; min-height: 28px; cursor: pointer; }
.switch input { position: absolute; opacity: 0; width: 32px; height: 20px; min-height: 0; margin: 0; cursor: pointer; }
.track { position: relative; flex: none; width: 32px; height: 20px; border-radius: 10px; background: var(--line-strong); }
.track::after {
  content: "";
  position: absolute;
  inset: 2px auto auto 2px;
  width: 16px;
  height: 16px;
  border-radius: 50%;
  background: #ffffff;
}
.switch input:checked + .track { background: var(--good-fill); }
.switch input:checked + .track::after { transform: translateX(12px); }
.switch input:focus-visible + .track { outline: 2px solid var(--accent); outline-offset: 2px; }
.switch:has(:disabled) { opacity: 0.55; }

/* Sending */

.compose { display: grid; grid-template-columns: minmax(0, 360px) minmax(0, 1fr); gap: 24px; align-items: start; }
.compose-side { display: grid; gap: 12px; }
.compose-side details .field { margin-top: 8px; }
.compose-main { display: grid; gap: 8px; min-width: 0; }
.compose-main h3 { margin: 8px 0 4px; }
.editor-head { display: flex; align-items: center; gap: 12px; font-weight: 500; }
.editor-head button { margin-inline-start: auto; }
#payload-size { font-weight: 400; }
#payload-size.is-over { color: var(--bad); font-weight: 600; }
.editor { display: grid; grid-template-columns: 44px minmax(0, 1fr); height: clamp(280px, calc(100vh - 400px), 640px); border: 1px solid var(--line-strong); border-radius: var(--radius); background: var(--surface); overflow: hidden; }
.editor:focus-within { outline: 2px solid var(--accent); outline-offset: 1px; }
.editor textarea { height: 100%; border: 0; border-radius: 0; background: none; resize: none; padding: 8px 12px; outline: none; }
.gutter { padding: 8px 0; overflow: hidden; background: var(--sunken); color: var(--quiet); font: 12px/20px var(--mono); text-align: end; }
.gutter span { display: block; padding-inline-end: 8px; }
.gutter .mark.error { background: var(--bad-soft); color: var(--bad); box-shadow: inset 3px 0 0 var(--bad-fill); }
.gutter .mark.warning { background: var(--warn-soft); color: var(--warn); box-shadow: inset 3px 0 0 var(--warn-fill); }
.gutter .mark.note { background: var(--accent-soft); color: var(--accent); box-shadow: inset 3px 0 0 var(--accent); }
.findings { display: grid; gap: 6px; }
.findings li { display: grid; grid-template-columns: 108px minmax(0, 1fr); gap: 12px; align-items: baseline; }
.findings .place { justify-content: start; min-height: 24px; padding: 0 8px; font-size: 12px; overflow-wrap: anywhere; }
.findings span.place { padding: 0; color: var(--quiet); }

/* Faults and clock */

.faults { display: grid; gap: 8px; }
.fault { display: flex; align-items: start; justify-content: space-between; gap: 16px; padding: 12px 16px; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); }
.fault > div { display: grid; gap: 2px; min-width: 0; }
.fault-title { font-weight: 600; }
.fault-effect { overflow-wrap: anywhere; }
.effect-fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); gap: 12px; }
.clock-face { display: grid; gap: 4px; justify-items: center; align-content: center; min-height: 240px; }
.clock-face .digits { font-size: 56px; line-height: 64px; letter-spacing: -0.03em; }

/* Dialogs and notes */

dialog { width: min(420px, calc(100vw - 32px)); padding: 20px; border: 1px solid var(--line); border-radius: 12px; background: var(--surface); color: var(--text); box-shadow: var(--shadow); }
dialog::backdrop { background: rgb(10 14 20 / 45%); }
#confirm-dialog p { margin-bottom: 16px; }
#confirm-dialog .buttons { justify-content: end; }
.toasts { position: fixed; inset: auto 16px 16px auto; z-index: 10; display: grid; gap: 8px; justify-items: end; max-width: min(480px, calc(100vw - 32px)); pointer-events: none; }
.toast { display: flex; gap: 8px; padding: 10px 14px; border: 1px solid var(--line); border-radius: var(--radius); background: var(--raised); box-shadow: var(--shadow); overflow-wrap: anywhere; }
.toast .icon { margin-top: 2px; }
.toast.good .icon { color: var(--good); }
.toast.bad { border-color: var(--bad); }
.toast.bad .icon { color: var(--bad); }

/* Narrow screens */

@media (max-width: 60rem) {
  .split { grid-template-columns: minmax(0, 1fr); }
  .detail-pane { display: none; border: 0; }
  .has-detail .detail-pane { display: block; }
  .has-detail .list-pane { display: none; }
  .columns, .compose { grid-template-columns: minmax(0, 1fr); }
}

@media (max-width: 40rem) {
  /* Everything that is pressed is at least 44 px high. */
  button, button.link, .chart-legend button, .list-foot button, .findings button.place, .button, .switch, .choices label,
  input:not([type="radio"], [type="checkbox"]), select, textarea, .waiting a, .verdict-head a, .banner a { min-height: 44px; }
  .waiting a { line-height: 44px; }
  .verdict-head a { display: inline-flex; align-items: center; }
  summary { padding: 12px 0; }
  .wide, .brand h1, #connection[data-state="connected"] {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .bar { padding: 0 12px; gap: 0 8px; }
  /* Beside the views, the bar has only what is not as usual: other worlds, a manual clock, a broken connection. */
  .brand { flex: 1 1 0; min-width: 0; padding: 0; }
  .state { padding: 0; align-items: center; gap: 4px; }
  #clock-chip { border-radius: 22px; }
  #clock-chip.is-manual { min-height: 44px; }
  .logo, #keys-open, #clock-chip:not(.is-manual) { display: none; }
  .bar nav { order: 3; flex-basis: 100%; margin-inline: -12px; }
  .bar nav ul { gap: 0; }
  .bar nav li { flex: 1 0 auto; }
  .bar nav a { position: relative; height: 46px; flex-direction: column; justify-content: center; gap: 0; padding: 0 4px; font-size: 11px; line-height: 14px; }
  .bar nav .badge { position: absolute; inset: 0 0 auto auto; }
  .overview { padding: 4px 12px; gap: 4px; }
  .counts { width: 100%; flex-wrap: nowrap; justify-content: space-between; gap: 8px; }
  .counts dt { gap: 4px; font-size: 11px; }
  .counts dd { font-size: 16px; line-height: 20px; }
  .chart-box { display: flex; gap: 12px; align-items: end; }
  .chart { flex: 1; height: 40px; }
  .view.page { padding: 16px 12px 40px; }
  .filter, .row, .list-foot, #detail-content { padding-inline: 12px; }
  .filter { padding-block: 4px; }
  .filter-line { gap: 4px 6px; }
  .filter-line > input { flex: 1 1 96px; }
  .filter-line > select { flex: 0 1 104px; }
  #pause { min-width: 44px; padding: 0; }
  .list-foot { padding-block: 0; align-items: center; }
  .detail-head { position: static; }
  .device { grid-template-columns: minmax(0, 1fr); }
  .phone { width: min(100%, 260px); justify-self: center; }
  .register { margin-inline-start: 0; flex-basis: 100%; }
  .register > .panel { inset: 32px auto auto 0; }
  .facts > div { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .triple { grid-template-columns: 1fr 1fr; }
  .triple > :last-child { grid-column: 1 / -1; }
  .findings li { grid-template-columns: minmax(0, 1fr); gap: 0; }
  main { min-height: 480px; }
}

@media (max-height: 480px) {
  main { min-height: 480px; }
}

@media (forced-colors: active) {
  .row[aria-selected="true"] { outline: 2px solid Highlight; outline-offset: -2px; }
  .dot, .track, .track::after, .chart rect, .counts dt::before, .life li::before { forced-color-adjust: none; }
  .dot, .track, .counts dt::before, .life li::before { border: 1px solid CanvasText; }
  .track::after { inset: 1px auto auto 1px; }
  .bar nav a { border-color: Canvas; }
  .bar nav a[aria-current] { border-bottom-color: Highlight; }
  .verdict, .banner a, .phone { border: 1px solid CanvasText; }
  .app-icon { forced-color-adjust: none; }
}

@media (prefers-reduced-motion: no-preference) {
  .track::after { transition: transform 120ms ease-out; }
}
"""####),
    ]
}
