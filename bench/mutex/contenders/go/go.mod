module hotseat/bench/mutex

go 1.19
