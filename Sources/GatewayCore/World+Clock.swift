extension World {
    /// Sets the clock as `WorldClock.set` does.
    ///
    /// - Returns: What expired by it.
    package mutating func setClock(_ mode: WorldClock.Mode, to now: Int64?, real: Int64) -> [DeliveryEvent] {
        clock.set(mode, to: now, real: real)
        return expireStored(real: real)
    }

    /// Moves the clock by `milliseconds`.
    ///
    /// - Returns: What expired by it.
    package mutating func advanceClock(by milliseconds: Int64, real: Int64) -> [DeliveryEvent] {
        clock.advance(by: milliseconds, real: real)
        return expireStored(real: real)
    }
}
