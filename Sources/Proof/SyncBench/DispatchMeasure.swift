import PushDispatch

/// The time of one push, from the system's dictionary to the handler and back.
enum DispatchMeasure {
    private struct Handler: HintHandler {
        func handle(_ hint: Hint, _ context: HandlerContext) async -> HandlerReport { HandlerReport(changed: 1) }
    }

    private static let pushes = 1_000

    static func measure() async {
        let elsewhere = await run()
        Bench.show("dispatch-one-push", elsewhere, "us", limit: 50)
        let main = await runOnMain()
        Bench.show("dispatch-one-push-from-main", main, "us", limit: 50)
    }

    private static func run() async -> Double {
        let dispatcher = PushDispatcher(handler: Handler(), pending: MemoryPendingStore())
        let payloads = payloads
        return await Bench.fastest(of: 20) {
            for payload in payloads { _ = await dispatcher.handle(Push(userInfo: payload), from: .background) }
        } / Double(pushes) * 1_000_000
    }

    /// Calls from the main thread, like the system, so that each push switches threads twice.
    @MainActor private static func runOnMain() async -> Double {
        let dispatcher = PushDispatcher(handler: Handler(), pending: MemoryPendingStore())
        let payloads = payloads
        var best = Double.infinity
        for _ in 0..<20 {
            let start = ContinuousClock.now
            for payload in payloads { _ = await dispatcher.handle(Push(userInfo: payload), from: .background) }
            best = min(best, (ContinuousClock.now - start) / .microseconds(pushes))
        }
        return best
    }

    private static var payloads: [[AnyHashable: Any]] {
        (0..<pushes).map { number in
            [
                "aps": ["content-available": 1], "type": "ACCOUNT_UPDATE", "accountId": Bench.id(number).description,
                "changedFields": "Name, Owner",
            ]
        }
    }
}
