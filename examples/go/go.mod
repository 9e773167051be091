module example.test/bot

go 1.19
