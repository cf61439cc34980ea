import PushDispatch

extension PhoneApp {
    /// Calls these callbacks in order without waiting for answers, as the system does on the main thread.
    ///
    /// - Returns: The callbacks that the app implements.
    func call(_ callbacks: [EntryPoint], _ push: Push, _ wake: PhoneWake) async -> [EntryPoint] {
        await PhoneClock.$startedAtLaunch.withValue(false) {
            switch body {
            case .dispatcher(let dispatcher, let presents):
                if callbacks.contains(.foreground), presents(push) { wake.show() }
                for (entryPoint, task) in zip(callbacks, await dispatcher.handle(push, from: callbacks)) {
                    Task { wake.answer(entryPoint, await task.value) }
                }
                return callbacks
            case .callbacks(let fetch, let present, let respond):
                return await MainActor.run {
                    callbacks.filter { call($0, push, wake, fetch, present, respond) }
                }
            }
        }
    }

    @MainActor
    private func call(
        _ entryPoint: EntryPoint, _ push: Push, _ wake: PhoneWake, _ fetch: Fetch?, _ present: Present?,
        _ respond: Respond?
    ) -> Bool {
        switch entryPoint {
        case .background:
            guard let fetch else {
                let problem = PhoneProblem(
                    .noCallback, .background,
                    "the app does not implement this callback, so the push is lost; implement it")
                wake.lacks(.background, problem)
                return false
            }
            fetch(push) { wake.answer(.background, $0) }
        case .foreground:
            // Without this callback the system shows no notification while the app is on screen.
            guard let present else {
                wake.lacks(.foreground)
                return false
            }
            present(push) { isShown in
                if isShown { wake.show() }
                wake.answer(.foreground, nil)
            }
        case .tap:
            guard let respond else {
                wake.lacks(.tap)
                return false
            }
            respond(push) { wake.answer(.tap, nil) }
        }
        return true
    }
}
