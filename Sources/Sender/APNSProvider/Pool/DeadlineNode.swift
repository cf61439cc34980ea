import APNSModel

/// Something with a deadline, in a ring of others. It leaves the ring in constant time, without its owner.
///
/// A class with links to its neighbours, so that entering and leaving a ring allocates nothing and counts no references,
/// which a notification of a bulk send would pay. The links do not keep the neighbours alive: a node leaves its ring before
/// it is freed.
///
/// @unchecked: a node and its neighbours are confined to one event loop, or protected by one lock.
package class DeadlineNode: @unchecked Sendable {
    final var deadline: MonotonicTime
    fileprivate final var next: Unmanaged<DeadlineNode>?
    fileprivate final var previous: Unmanaged<DeadlineNode>?

    init(deadline: MonotonicTime) { self.deadline = deadline }

    deinit { leaveRing() }

    /// Does nothing for a node that is in no ring.
    final func leaveRing() {
        guard let next, let previous else { return }
        next._withUnsafeGuaranteedRef { $0.previous = previous }
        previous._withUnsafeGuaranteedRef { $0.next = next }
        self.next = nil
        self.previous = nil
    }
}

/// The nodes of a ring, in the order in which they entered it.
///
/// @unchecked: confined to the event loop of its nodes, or protected by their lock.
final class DeadlineRing: DeadlineNode, @unchecked Sendable {
    init() {
        super.init(deadline: MonotonicTime(nanoseconds: .max))
        next = .passUnretained(self)
        previous = .passUnretained(self)
    }

    /// Adds a node, which is in no ring.
    func append(_ node: DeadlineNode) {
        guard node.next == nil, let last = previous else {
            // Its old neighbours would keep links to it that nothing clears when it is freed.
            preconditionFailure("a submission is in one ring at a time")
        }
        node.next = .passUnretained(self)
        node.previous = last
        last._withUnsafeGuaranteedRef { $0.next = .passUnretained(node) }
        previous = .passUnretained(node)
    }

    var first: DeadlineNode? { node(after: self) }

    /// Nil after the last one.
    func node(after node: DeadlineNode) -> DeadlineNode? {
        guard let next = node.next?.takeUnretainedValue(), next !== self else { return nil }
        return next
    }
}

/// The submissions of one bulk send that have no outcome yet. They have one timeout, so the first has the first deadline.
///
/// Its own deadline is at most the first of theirs.
///
/// @unchecked: confined to the event loop of its submissions.
final class SubmissionGroup: DeadlineNode, @unchecked Sendable {
    private let ring = DeadlineRing()
    /// Whether the group is among the deadlines that are watched.
    var isWatched = false

    init() { super.init(deadline: .zero) }

    func append(_ submission: Submission) { ring.append(submission) }

    var first: Submission? { ring.first as? Submission }

    var all: [Submission] {
        var all: [Submission] = []
        var node = ring.first
        while let submission = node as? Submission {
            all.append(submission)
            node = ring.node(after: submission)
        }
        return all
    }
}
