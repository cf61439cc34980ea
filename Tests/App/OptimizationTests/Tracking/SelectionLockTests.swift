import Testing

@testable import Optimization

/// The table of docs/reference/personalization.md 15.
struct SelectionLockTests {
    private let first = [ExperienceSelection("exp-1", 0)]
    private let second = [ExperienceSelection("exp-1", 1)]
    private let third = [ExperienceSelection("exp-1", 2)]

    @Test(
        arguments: [
            (true, true, nil, true), (true, true, true, true), (true, true, false, true), (true, false, nil, true),
            (true, false, true, true), (true, false, false, true), (false, true, nil, true), (false, true, true, true),
            (false, true, false, false), (false, false, nil, false), (false, false, true, true),
            (false, false, false, false),
        ] as [(Bool, Bool, Bool?, Bool)])
    func `the panel decides first, then the entry, then the app`(panel: Bool, app: Bool, entry: Bool?, isLive: Bool) {
        let lock = SelectionLock(isLive: entry)
        #expect(lock.isLive(.init(isPanelOpen: panel, isLive: app)) == isLive)
    }

    @Test func `a locked entry keeps its first selections`() {
        var lock = SelectionLock()
        #expect(lock.selections(nil, .init()) == nil)
        #expect(lock.selections(first, .init()) == first)
        #expect(lock.selections(second, .init()) == first && lock.selections(nil, .init()) == first)
        // An empty list is a reply.
        var empty = SelectionLock()
        #expect(empty.selections([], .init()) == [] && empty.selections(second, .init()) == [])
    }

    @Test func `a live entry follows each change`() {
        var lock = SelectionLock(isLive: true)
        for selections in [nil, first, second] { #expect(lock.selections(selections, .init()) == selections) }
        // It is locked with what it shows.
        lock.isLive = false
        #expect(lock.selections(third, .init()) == second)
    }

    @Test func `a locked entry is live while the panel is open, and keeps that moment when it closes`() {
        var lock = SelectionLock(isLive: false)
        _ = lock.selections(first, .init())
        #expect(lock.selections(second, .init(isPanelOpen: true)) == second)
        #expect(lock.selections(third, .init()) == third)
        #expect(lock.selections(first, .init()) == third)
    }
}
