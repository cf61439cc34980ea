import EventDelivery
import Personalization
import PushDispatch

/// What the app does when somebody uses it. Each call is a task of its own, so that several are under way at a time.
extension ShopApp {
    /// Carries out a call that reports something.
    ///
    /// - Parameter body: Returns whether there is an event.
    private func report(
        _ name: String, isBad: Bool = false, content: String? = nil,
        _ body: @escaping @Sendable (_ marker: String) async throws(PersonalizationError) -> Bool
    ) {
        ready { [self] in
            let call = audit.begin(name, marker: "m\(run.nextNumber())x")
            call.isBad = isBad
            call.content = content
            start { [self] in
                do throws(PersonalizationError) {
                    let isKept = try await body(call.marker)
                    if clock.isRunning { audit.end(call, isKept: isKept) }
                } catch {
                    if clock.isRunning { audit.fail(call, error) }
                }
            }
        }
    }

    func track() {
        report("event") { [client] marker async throws(PersonalizationError) in
            try await client.track(try .custom("visit", attributes: ["marker": .text(marker)]))
            return true
        }
    }

    /// Several events that belong together.
    func changeCart() {
        run.count(.cart)
        let items = (1...(1 + run.number(below: 2))).map { LineItem(id: "70\($0)") }
        report("cart") { [client] marker async throws(PersonalizationError) in
            try await client.track(try .cart(.add, items: items, attributes: ["marker": .text(marker)]))
            return true
        }
    }

    /// An event that the service refuses: the app passes it to the queue by itself.
    func captureBadEvent() {
        run.count(.badEvent)
        let (stamp, purpose) = (queue.stamp(), audit.purposes.events)
        report("bad event", isBad: true) { [queue, client] marker async throws(PersonalizationError) in
            let event = CapturedEvent(
                stamp, kind: "bad", to: client.configuration.destination, purpose: purpose,
                body: Array("{\"marker\":\"\(marker)\"}".utf8))
            do throws(CaptureError) {
                try await queue.capture(event)
            } catch {
                throw PersonalizationError(
                    error.reason == .consent ? .consent : error.reason == nil ? .storage : .notKept, "")
            }
            return true
        }
    }

    /// The user looks at something on the screen, taps it or waves it away.
    func engage() {
        guard let decision = run.pick(shown) else { return }
        let content =
            decision.items.isEmpty
            ? decision.engagement : decision.engagement(withItem: run.number(below: decision.items.count))
        guard let content else { return }
        switch run.number(below: 4) {
        case 0:
            report("tap") { [client] marker async throws(PersonalizationError) in
                try await client.tapped(content, attributes: ["marker": .text(marker)])
                return true
            }
        default: appear(content)
        }
    }

    /// A screen comes back with everything on it.
    func appearAgain() {
        for decision in shown {
            for item in decision.items.indices { decision.engagement(withItem: item).map(appear) }
            if decision.items.isEmpty { decision.engagement.map(appear) }
        }
    }

    private func appear(_ content: EngagementContent) {
        run.count(.impression)
        // A cell can appear twice before the first event is stored.
        for _ in 0...run.number(below: 2) {
            report("impression", content: content.contentID) { [client] marker async throws(PersonalizationError) in
                try await client.appeared(content, attributes: ["marker": .text(marker)])
            }
        }
    }

    // Decisions.

    func fetch() {
        let points = run.chance(30) ? ShopService.points : ["home"]
        let timeout: Int64 = run.pick([10_000, 10_000, 300]) ?? 10_000
        ready { [self] in
            run.count(.fetch)
            let users = audit.user.values
            let began = run.nextNumber()
            start { [self] in
                do throws(DecisionError) {
                    let result = try await client.fetchDecisions(points, timeoutMilliseconds: timeout)
                    guard clock.isRunning else { return }
                    run.trace("\(device.name) has decisions from the \(result.source.rawValue)")
                    audit.shows(result)
                    shown = result.decisions
                    // A screen shows its first items at once.
                    if run.chance(70) { engage() }
                } catch {
                    guard clock.isRunning else { return }
                    run.trace("\(device.name) has no decisions: \(error.code)")
                    audit.fetchFailed(error, began: began, users: users)
                }
            }
        }
    }

    func showCached() {
        ready { [self] in
            start { [self] in
                guard let result = try? await client.cachedDecisions(["home"]), clock.isRunning else { return }
                audit.shows(result)
                shown = result.decisions
            }
        }
    }

    func prefetch() {
        ready { [self] in
            start { [client] in try? await client.prefetchDecisions(["home"], ifOlderThan: 60_000) }
        }
    }

    /// The user opens a notification. The system sometimes calls twice.
    func open(_ notification: String, marker: String) {
        run.count(.pushOpened)
        let push = Push(
            bytes: Array(
                #"""
                {"aps":{"alert":"New kettles"},"type":"PERSONALIZED","personalization":{"points":["\#(ShopService.landing)"],\#
                "context":{"campaign":"\#(marker)"}}}
                """#.utf8))
        for _ in 0...run.number(below: 2) {
            ready { [self] in
                guard let handler else { return }
                let call = audit.beginOpen(marker)
                start { [self] in
                    let opening = await handler.opened(push, requestID: notification)
                    if clock.isRunning { audit.endOpen(call, opening?.event) }
                }
            }
        }
    }

    // The user, the answers and the phase.

    func logIn(_ name: String?) {
        ready { [self] in
            guard !isChangingUser else { return }
            isChangingUser = true
            run.count(name == nil ? .logOut : .logIn)
            run.trace("\(device.name): log-\(name.map { "in of \($0)" } ?? "out")")
            audit.beginUser(name)
            start { [self] in
                var isStored = true
                do throws(PersonalizationError) {
                    if let name {
                        try await client.logIn(
                            KnownPerson(userID: name, email: "\(name)@example.com", firstName: name))
                    } else {
                        try await client.logOut()
                    }
                } catch {
                    isStored = false
                    if clock.isRunning { audit.failUser(error) }
                }
                guard clock.isRunning else { return }
                isChangingUser = false
                audit.endUser(name, isStored: isStored, isLogOut: name == nil)
            }
        }
    }

    func setAttribute() {
        let value = "v\(run.nextNumber())"
        ready { [self] in start { [client] in try? await client.setProfileAttributes(["mood": value]) } }
    }

    func answer(_ answer: ConsentState, for purpose: ConsentPurpose) {
        ready { [self] in
            guard !isAnswering else { return }
            isAnswering = true
            run.count(answer == .optedOut ? .optOut : .optIn)
            run.trace("\(device.name): \(answer.rawValue) for \(purpose)")
            device.answers[purpose] = answer
            start { [self] in
                await set(answer, for: purpose)
                isAnswering = false
            }
        }
    }

    func changePhase(isActive: Bool) {
        ready { [self] in
            guard !isChangingPhase else { return }
            isChangingPhase = true
            run.count(isActive ? .foreground : .background)
            run.trace("\(device.name) \(isActive ? "comes to the foreground" : "enters the background")")
            audit.beginLifeCycle()
            start { [self] in
                if isActive {
                    try? await client.didBecomeActive()
                } else {
                    await client.didEnterBackground(within: 5_000)
                }
                guard clock.isRunning else { return }
                isChangingPhase = false
                audit.endLifeCycle(isActive: isActive)
            }
        }
    }

    func flush(within milliseconds: Int64) {
        ready { [self] in start { [client] in await client.flush(within: milliseconds) } }
    }

    func networkChanged() {
        start { [self] in await client.networkChanged(isOnline: device.isOnline) }
    }
}
