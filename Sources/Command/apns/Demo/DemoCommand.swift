import ArgumentParser

/// `apns demo`: shows the whole loop in one terminal.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: """
            Shows the whole loop in one terminal: change, trigger, send, gateway, device, dispatch, fetch, merge.
            """,
        discussion: """
            A record changes in a simulated CRM. Its silent push is checked, signed and sent over HTTP/2 and TLS to a \
            gateway simulator, which delivers it to a device in another process. The device fetches the one record and \
            merges it into its store.

            Then two more devices of the same user show the hard cases: one is offline; a save of 12 records fails because \
            of a flaw of the trigger; 500 records change at once; the user force-quits an app; the session expires; a \
            record changes on both sides. The regular sync makes both stores equal to the CRM, and the requests and bytes are \
            compared with polling and full syncs.

            Then a campaign's push is opened in a shop's app: the open event, recommendations of a simulated decision \
            service, an impression and a click belong to one decision. Then the same without a network: the app shows what \
            it has, keeps the events, and delivers each once.

            Last, a reader of a magazine gets variants of a story: by audience, locked on the screen, live after a push \
            that names the story, and from the cache without a network. Everything runs on free loopback ports and leaves nothing \
            behind.

            EXAMPLE
              apns demo

            EXIT STATUS: 0 all of it happened; 1 something did not, and the message says what; 2 the demo could not run; \
            64 bad arguments. No environment variable is read.
            """)

    @Flag(help: "Show the first change only.")
    var short = false

    func run() async throws {
        try await Demo().run(isShort: short)
    }
}
