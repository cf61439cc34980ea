import SelectiveSync
import Testing

/// Every transition: each event in each state.
struct CRMLifecycleTests {
    typealias State = CRMLifecycle.State

    enum Event: CaseIterable, CustomTestStringConvertible {
        case open, opened, openedWithoutUser, openingFailed, beginChange, changedToUser, changedToNobody, changeRefused
        case sessionExpired, sessionRenewed

        var testDescription: String { "\(self)" }
    }

    static let states: [State] = [
        .locked, .opening, .loggedOut, .ready("a"), .expired("a"), .changing(from: .loggedOut),
        .changing(from: .ready("a")), .changing(from: .expired("a")),
    ]

    /// A lifecycle in this state, reached by events.
    static func lifecycle(_ state: State) -> CRMLifecycle {
        var lifecycle = CRMLifecycle()
        if state == .locked { return lifecycle }
        _ = lifecycle.open()
        switch state {
        case .locked, .opening: break
        case .loggedOut: lifecycle.opened(nil)
        case .ready(let user): lifecycle.opened(user)
        case .expired(let user):
            lifecycle.opened(user)
            lifecycle.sessionExpired()
        case .changing(let former):
            switch former {
            case .loggedOut: lifecycle.opened(nil)
            case .ready(let user): lifecycle.opened(user)
            case .expired(let user):
                lifecycle.opened(user)
                lifecycle.sessionExpired()
            }
            _ = lifecycle.beginChange()
        }
        return lifecycle
    }

    /// The state after an event. What is not listed stays as it is.
    static func next(_ state: State, _ event: Event) -> State {
        switch (state, event) {
        case (.locked, .open): .opening
        case (.opening, .opened): .ready("b")
        case (.opening, .openedWithoutUser): .loggedOut
        case (.opening, .openingFailed): .locked
        case (.loggedOut, .beginChange): .changing(from: .loggedOut)
        case (.ready("a"), .beginChange): .changing(from: .ready("a"))
        case (.expired("a"), .beginChange): .changing(from: .expired("a"))
        case (.changing, .changedToUser): .ready("b")
        case (.changing, .changedToNobody): .loggedOut
        case (.changing(from: .loggedOut), .changeRefused): .loggedOut
        case (.changing(from: .ready("a")), .changeRefused): .ready("a")
        case (.changing(from: .expired("a")), .changeRefused): .expired("a")
        case (.ready("a"), .sessionExpired): .expired("a")
        case (.changing(from: .ready("a")), .sessionExpired): .changing(from: .expired("a"))
        case (.expired("a"), .sessionRenewed): .ready("a")
        case (.changing(from: .expired("a")), .sessionRenewed): .changing(from: .ready("a"))
        default: state
        }
    }

    @Test(arguments: states, Event.allCases)
    func `each event leads from each state to one state`(state: State, event: Event) {
        var lifecycle = CRMLifecycleTests.lifecycle(state)
        #expect(lifecycle.state == state)
        switch event {
        case .open: _ = lifecycle.open()
        case .opened: lifecycle.opened("b")
        case .openedWithoutUser: lifecycle.opened(nil)
        case .openingFailed: lifecycle.openingFailed()
        case .beginChange: _ = lifecycle.beginChange()
        case .changedToUser: lifecycle.changed(to: "b")
        case .changedToNobody: lifecycle.changed(to: nil)
        case .changeRefused: lifecycle.changeRefused()
        case .sessionExpired: lifecycle.sessionExpired()
        case .sessionRenewed: lifecycle.sessionRenewed()
        }
        #expect(lifecycle.state == CRMLifecycleTests.next(state, event))
    }

    @Test(arguments: states) func `only a locked store is opened, and by one call`(state: State) {
        var lifecycle = CRMLifecycleTests.lifecycle(state)
        let answer: CRMLifecycle.OnOpen =
            switch state {
            case .locked: .start
            case .opening: .wait
            case .loggedOut, .ready, .expired, .changing: .isOpen
            }
        #expect(lifecycle.open() == answer)
    }

    @Test(arguments: states) func `the user edits while logged in, also with an expired session`(state: State) {
        var lifecycle = CRMLifecycleTests.lifecycle(state)
        let answer: CRMLifecycle.OnEdit =
            switch state {
            case .locked, .opening: .refused(.locked("it is not open"))
            case .loggedOut: .refused(.loggedOut)
            case .ready, .expired: .begin
            case .changing: .refused(.changingUser)
            }
        let decision = lifecycle.beginEdit(of: lifecycle.logIn)
        #expect(decision == answer)
        #expect((lifecycle.user != nil) == (answer == .begin))
    }

    @Test(arguments: states) func `a change of users begins only in a settled state`(state: State) {
        var lifecycle = CRMLifecycleTests.lifecycle(state)
        let answer: CRMLifecycle.OnChange =
            switch state {
            case .locked, .opening, .changing: .refused
            case .loggedOut, .ready, .expired: .begin
            }
        #expect(lifecycle.beginChange() == answer)
    }

    @Test func `a change of users waits for the last edit and lets no further one begin`() {
        var lifecycle = CRMLifecycleTests.lifecycle(.ready("a"))
        let first = lifecycle.beginEdit(of: lifecycle.logIn)
        #expect(first == .begin)
        let second = lifecycle.beginEdit(of: lifecycle.logIn)
        #expect(second == .begin)
        #expect(lifecycle.beginChange() == .waitForEdits)
        let late = lifecycle.beginEdit(of: lifecycle.logIn)
        #expect(late == .refused(.changingUser))
        #expect([lifecycle.editEnded(), lifecycle.editEnded()] == [false, true])
    }

    @Test func `a sync stays due until one begins`() {
        var lifecycle = CRMLifecycle()
        lifecycle.syncIsDue()
        _ = lifecycle.open()
        lifecycle.opened("a")
        #expect(lifecycle.isSyncDue)
        lifecycle.syncBegins()
        #expect(!lifecycle.isSyncDue)
    }

    @Test func `an edit belongs to the log-in in which it was made`() {
        var lifecycle = CRMLifecycle()
        _ = lifecycle.open()
        lifecycle.opened("a")
        let logIn = lifecycle.logIn
        _ = lifecycle.beginChange()
        lifecycle.changeRefused()
        let edit = lifecycle.beginEdit(of: logIn)
        #expect(edit == .begin)
        let isFree = lifecycle.editEnded()
        #expect(!isFree)
        for user in ["b", "a"] {
            _ = lifecycle.beginChange()
            lifecycle.changed(to: user)
            let late = lifecycle.beginEdit(of: logIn)
            #expect(late == .refused(.otherUser))
        }
        let own = lifecycle.beginEdit(of: lifecycle.logIn)
        #expect(own == .begin)
    }
}
