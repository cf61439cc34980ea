/// Does outside of one world what follows from a change in it: timers, and the connections of its senders.
///
/// A world gets its delegate in its initializer, so that the delegate learns of every change, from the first one on. The
/// world calls it after the lock is released, on the thread of the caller. The delegate must not keep a strong reference to
/// the world, because the world has one to the delegate.
package protocol LiveWorldDelegate: AnyObject, Sendable {
    /// The clock was set, advanced or, with the whole world, reset. Whatever waits for a time has to check it again.
    func clockChanged(_ change: ClockChange, in world: LiveWorld)

    /// A client removed the fault rule with this id, or with nil all of them. Effects that last, such as a closed
    /// flow-control window, end.
    func faultRulesRemoved(_ id: String?, in world: LiveWorld)

    /// Something is due in `world` sooner than reported before: `world.passTime()` has to be called then.
    ///
    /// - Parameter milliseconds: From now; nil cancels what was reported before.
    func nextDue(in milliseconds: Int64?, of world: LiveWorld)
}
